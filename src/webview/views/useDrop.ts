/** Takes what is dropped anywhere onto the panel, and the images of a paste. Text that is dropped is left to the field. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { mayAttach, placesIn } from '../dropping.ts';
import { readFiles, type DroppedFile } from '../droppedFiles.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { mostPlaces } from '../../protocol/toHost.ts';

export interface Drop {
  /** Something that can be attached is held above the panel. */
  readonly isOver: boolean;
  /** Attaches files of which only the content is known. */
  readonly attach: (files: readonly DroppedFile[]) => Promise<void>;
  /** Files are being read: resolves when the host has been given what was there until now. Undefined when none are. */
  readonly reading: () => Promise<void> | undefined;
}

/** @param onProblem told what could not be attached, as one text */
export function useDrop(onProblem: (sentence: string) => void, onDropped: () => void): Drop {
  const { post, compose } = useEnv();
  const [isOver, setOver] = useState(false);
  const readingRef = useRef<Promise<void> | undefined>(undefined);
  const read = async (files: readonly DroppedFile[]): Promise<void> => {
    const { intents, problems } = await readFiles(files);
    for (const intent of intents) post(intent);
    if (problems.length > 0) onProblem(problems.join(' '));
  };
  const attach = async (files: readonly DroppedFile[]): Promise<void> => {
    const before = readingRef.current;
    const reading = Promise.allSettled([before, read(files)]).then(() => {
      if (readingRef.current === reading) readingRef.current = undefined;
    });
    readingRef.current = reading;
    await reading;
  };
  const drop = (data: DataTransfer): void => {
    const places = placesIn(data);
    // Only in this very moment is it told which of them are folders.
    const files = filesOf(data);
    const text = data.getData('text/plain');
    onDropped();
    if (places.length > 0) {
      post({ kind: 'attachPlaces', uris: [...places.slice(0, mostPlaces)] });
      if (places.length > mostPlaces)
        onProblem(l10n.t('Only the first {0} files were attached.', mostPlaces));
    } else if (files.length > 0) void attach(files);
    // A link of a web page.
    else if (text !== '') compose(text);
  };
  const dropRef = useRef(drop);
  useLayoutEffect(() => {
    dropRef.current = drop;
  });
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      const { dataTransfer } = event;
      if (dataTransfer === null) return;
      const attaches = mayAttach(dataTransfer.types);
      if (!attaches && isField(event.target)) return;
      event.preventDefault();
      dataTransfer.dropEffect = attaches ? 'copy' : 'none';
      setOver(attaches);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const { dataTransfer } = event;
      if (dataTransfer === null || !mayAttach(dataTransfer.types)) {
        // What is no field would go to what was dropped, and the panel would be gone.
        if (!isField(event.target)) event.preventDefault();
        return;
      }
      event.preventDefault();
      dropRef.current(dataTransfer);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  return { isOver, attach, reading: () => readingRef.current };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}

function filesOf(data: DataTransfer): readonly DroppedFile[] {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  return items.flatMap((item) => {
    const file = item.getAsFile();
    return file === null ? [] : [{ file, isFolder: item.webkitGetAsEntry()?.isDirectory === true }];
  });
}
