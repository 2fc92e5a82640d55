/** Looks for what is lost where the system gives all colours. */

/** What shows something by its colour or by a ground alone, which forced colours take away. Runs in the page. */
export function lostByForcedColours(): string[] {
  const lost: string[] = [];
  const seen = (selector: string): Element[] =>
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const canvas = getComputedStyle(document.documentElement).backgroundColor;
  // Drawings are left as they are: theirs must be colours that the system knows, or differ from its ground.
  for (const drawn of seen('.swatch *, .window-bar rect, .ring circle')) {
    const { fill, stroke } = getComputedStyle(drawn);
    if ([fill, stroke].every((colour) => colour === 'none' || colour === canvas))
      lost.push(`${drawn.outerHTML.slice(0, 80)} is drawn in the colour of the ground`);
  }
  for (const count of seen('.added, .removed')) {
    const text = count.textContent ?? '';
    if (count.matches('span') && /^\d/.test(text)) lost.push(`${text} has no sign`);
  }
  const ways = seen('.send').map((each) => {
    const { borderTopStyle, borderTopWidth, color } = getComputedStyle(each);
    return {
      disabled: each.getAttribute('aria-disabled') === 'true',
      look: `${borderTopStyle} ${borderTopWidth} ${color}`,
    };
  });
  for (const { disabled, look } of ways) {
    const framed = !/^none|^\S+ 0px/.test(look);
    if (framed === disabled) lost.push(`sending is ${disabled ? 'not ' : ''}possible and looks so: ${look}`);
  }
  return lost;
}
