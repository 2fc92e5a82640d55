/** Text of code, paths and patches: what would be invisible is named. */
import type { VNode } from 'preact';
import { l10n } from '../l10n.ts';
import { prosePieces, visiblePieces, type VisiblePiece } from '../invisible.ts';

export function Plain({ text }: { text: string }): VNode {
  return <Pieces pieces={visiblePieces(text)} />;
}

/** Text of an answer: marks that turn its direction are named, and what whole scripts are written with is left alone. */
export function Prose({ text }: { text: string }): VNode {
  return <Pieces pieces={prosePieces(text)} />;
}

export function Pieces({ pieces }: { pieces: readonly VisiblePiece[] }): VNode {
  const only = pieces[0];
  if (pieces.length === 1 && only?.kind === 'plain') return <>{only.text}</>;
  return (
    <>
      {pieces.map((piece, index) =>
        piece.kind === 'plain' ? (
          piece.text
        ) : (
          <span
            key={index}
            class="hidden-character"
            {...(piece.other !== true && { title: l10n.t('Invisible character {0}', piece.label) })}
          >
            {piece.label}
          </span>
        ),
      )}
    </>
  );
}
