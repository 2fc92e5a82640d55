/** The folder in front of a file's name, which gives way first where there is no room. */
import type { VNode } from 'preact';
import type { VisiblePiece } from '../invisible.ts';
import { Pieces } from '../markdown/Plain.tsx';

export interface FolderProps {
  readonly className: string;
  /** Of the path up to the name, with the slash between. */
  readonly pieces: readonly VisiblePiece[];
}

/** Cut off at its start: files of the same name lie in folders that differ near their ends. */
export function Folder({ className, pieces }: FolderProps): VNode {
  return (
    <span class={className} dir="rtl">
      <bdi dir="ltr">
        <Pieces pieces={pieces} />
      </bdi>
    </span>
  );
}
