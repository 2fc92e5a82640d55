/** The height of a field of several lines. */

/** For browsers whose style sheets can't say that a field is as high as its text. */
export function growField(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports('field-sizing', 'content')) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
