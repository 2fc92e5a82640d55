/**
 * The format twice: as the grammar the model is given, and as the markers our parser looks for. They stand together so that they
 * cannot drift apart. The parser takes more than the grammar allows, since nothing promises that a model is held to it.
 */

export const markers = {
  begin: '*** Begin Patch',
  end: '*** End Patch',
  add: '*** Add File:',
  delete: '*** Delete File:',
  update: '*** Update File:',
  move: '*** Move to:',
  endOfFile: '*** End of File',
  /** Sent by clients that work in several places at once; here it says nothing. */
  environment: '*** Environment ID:',
  hunk: '@@',
} as const;

/**
 * Lark text for the declaration of the tool. Two choices are ours: a change may be left out only after a move, and a file may be
 * added without lines.
 */
export const grammar = `start: begin section+ end

begin: "${markers.begin}" LF
end: "${markers.end}" LF?

section: add | delete | update
add: "${markers.add} " NAME LF added*
delete: "${markers.delete} " NAME LF
update: "${markers.update} " NAME LF (move change? | change)
move: "${markers.move} " NAME LF

change: lines block* | block+
block: header+ lines
header: "${markers.hunk}" (" " TEXT)? LF
lines: line+ end_of_file?
end_of_file: "${markers.endOfFile}" LF

added: "+" TEXT? LF
line: ("+" | "-" | " ") TEXT? LF

NAME: /[^\\r\\n]+/
TEXT: /[^\\r\\n]+/

%import common.LF
`;
