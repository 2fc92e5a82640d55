/** Makes a picture ready to be sent: one of the types that the model takes, no larger than is of use. Draws nothing on the page. */
import { imageTypes, maxImageLength, type ImageType } from '../protocol/toHost.ts';

export interface Picture {
  readonly mime: ImageType;
  /** In base64. */
  readonly data: string;
  /** Of an animation only the first picture is left. */
  readonly isStill?: true;
}

/** Pixels of the longer side: what is larger is made smaller by the service as well, and each request carries it anew. */
const longestSide = 2_048;
/** Bytes up to which a picture of that size stays as it is. */
const enough = 1_500_000;
/** Bytes of an animation that stays one. */
const enoughMoving = 4_000_000;
/** Bytes that are looked at at all. */
const mostBytes = 100_000_000;

/** Undefined when it can't be read as a picture, or not made small enough. */
export async function readPicture(file: Blob): Promise<Picture | undefined> {
  if (file.size > mostBytes) return undefined;
  const own = imageTypes.find((type) => type === file.type);
  if (own === 'image/gif' && file.size <= enoughMoving) return { mime: own, data: await base64Of(file) };
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return undefined;
  }
  try {
    const { width, height } = bitmap;
    const scale = Math.min(1, longestSide / Math.max(width, height));
    if (scale === 1 && own !== undefined && own !== 'image/gif' && file.size <= enough)
      return { mime: own, data: await base64Of(file) };
    const drawn = await redraw(bitmap, scale, own);
    const data = await base64Of(drawn);
    const mime = imageTypes.find((type) => type === drawn.type);
    if (mime === undefined || data.length > maxImageLength) return undefined;
    return { mime, data, ...(own === 'image/gif' && { isStill: true }) };
  } finally {
    bitmap.close();
  }
}

/** Without loss where that is small enough: it is mostly text on a screen. */
async function redraw(bitmap: ImageBitmap, scale: number, own: ImageType | undefined): Promise<Blob> {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  }
  if (own !== 'image/jpeg') {
    const exact = await canvas.convertToBlob({ type: 'image/png' });
    if (exact.size <= enough) return exact;
  }
  return await canvas.convertToBlob({ type: 'image/webp', quality: 0.88 });
}

async function base64Of(blob: Blob): Promise<string> {
  const reader = new FileReader();
  const address = await new Promise<string>((resolve, reject) => {
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('The picture could not be read.')),
    );
    reader.readAsDataURL(blob);
  });
  return address.slice(address.indexOf(',') + 1);
}
