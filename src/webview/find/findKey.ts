/** Which key opens find. Pure. */
import { isLetterKey, type LetterPress } from '../letterKey.ts';

export function isFindKey(press: LetterPress, mac: boolean): boolean {
  return isLetterKey(press, 'f', mac);
}
