/** No order of input-method events may send or stop anything. */
import assert from 'node:assert/strict';
import {
  arrowOf,
  isOfInputMethod,
  isPlainPaste,
  keyMeaning,
  type KeyPress,
  type Typing,
} from '../../src/webview/keys.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  keyCode: key === 'Enter' ? 13 : key === 'Escape' ? 27 : 0,
  isComposing: false,
  shift: false,
  alt: false,
  ctrl: false,
  meta: false,
  repeat: false,
  ...more,
});
const idle: Typing = { composing: false, sinceComposition: Infinity, running: false };
const running: Typing = { ...idle, running: true };

describe('keys of the composer', () => {
  it('sends with Enter, also with Ctrl or Command', () => {
    assert.equal(keyMeaning(press('Enter'), idle), 'send');
    assert.equal(keyMeaning(press('Enter', { ctrl: true }), idle), 'send');
    assert.equal(keyMeaning(press('Enter', { meta: true }), idle), 'send');
  });

  it('breaks the line with Shift or Alt', () => {
    assert.equal(keyMeaning(press('Enter', { shift: true }), idle), 'text');
    assert.equal(keyMeaning(press('Enter', { alt: true }), idle), 'text');
  });

  it('sends with Ctrl or Command alone where Enter breaks the line', () => {
    const other: Typing = { ...idle, sendKey: 'modEnter' };
    assert.equal(keyMeaning(press('Enter'), other), 'text');
    assert.equal(keyMeaning(press('Enter', { shift: true }), other), 'text');
    assert.equal(keyMeaning(press('Enter', { ctrl: true }), other), 'send');
    assert.equal(keyMeaning(press('Enter', { meta: true }), other), 'send');
    assert.equal(keyMeaning(press('Enter', { ctrl: true, keyCode: 229 }), other), 'text');
  });

  it('interrupts what is running with Ctrl or Command, with Shift too where those send', () => {
    const other: Typing = { ...running, sendKey: 'modEnter' };
    for (const mod of [{ ctrl: true }, { meta: true }]) {
      assert.equal(keyMeaning(press('Enter', mod), running), 'interrupt');
      assert.equal(keyMeaning(press('Enter', { ...mod, shift: true }), running), 'text');
      assert.equal(keyMeaning(press('Enter', { ...mod, alt: true }), running), 'text');
      assert.equal(keyMeaning(press('Enter', { ...mod, repeat: true }), running), 'text');
      assert.equal(keyMeaning(press('Enter', { ...mod, isComposing: true }), running), 'text');
      assert.equal(keyMeaning(press('Enter', { ...mod, shift: true }), other), 'interrupt');
      assert.equal(keyMeaning(press('Enter', mod), other), 'send');
      assert.equal(keyMeaning(press('Enter', { ...mod, shift: true }), { ...other, running: false }), 'text');
    }
    assert.equal(keyMeaning(press('Enter'), running), 'send');
  });

  it('recalls with the bare arrows, and not for an input method', () => {
    assert.equal(arrowOf(press('ArrowUp'), idle), 'back');
    assert.equal(arrowOf(press('ArrowDown'), idle), 'forth');
    assert.equal(arrowOf(press('ArrowLeft'), idle), undefined);
    for (const more of [
      { shift: true },
      { alt: true },
      { ctrl: true },
      { meta: true },
      { isComposing: true },
    ])
      assert.equal(arrowOf(press('ArrowUp', more), idle), undefined);
    assert.equal(arrowOf(press('ArrowUp'), { ...idle, composing: true }), undefined);
    assert.equal(arrowOf(press('ArrowUp'), { ...idle, sinceComposition: 1 }), undefined);
  });

  it('knows the key that pastes text as it is', () => {
    assert.equal(isPlainPaste(press('V', { shift: true, ctrl: true })), true);
    assert.equal(isPlainPaste(press('v', { shift: true, meta: true })), true);
    assert.equal(isPlainPaste(press('v', { ctrl: true })), false);
    assert.equal(isPlainPaste(press('V', { shift: true })), false);
  });

  it('does not send again while the key is held', () => {
    assert.equal(keyMeaning(press('Enter', { repeat: true }), idle), 'text');
  });

  it('stops with Escape only what is running', () => {
    assert.equal(keyMeaning(press('Escape'), running), 'stop');
    assert.equal(keyMeaning(press('Escape'), idle), 'text');
    assert.equal(keyMeaning(press('Escape', { ctrl: true }), running), 'text');
    assert.equal(keyMeaning(press('Escape', { shift: true }), running), 'text');
  });

  for (const key of ['Enter', 'Escape']) {
    it(`leaves ${key} to an input method, in either order of events`, () => {
      // Chrome and Firefox: the key comes within the composition.
      assert.equal(keyMeaning(press(key, { isComposing: true, keyCode: 229 }), running), 'text');
      assert.equal(keyMeaning(press(key, { isComposing: true }), running), 'text');
      assert.equal(keyMeaning(press(key), { ...running, composing: true }), 'text');
      // Safari: the composition ends first.
      assert.equal(keyMeaning(press(key, { keyCode: 229 }), running), 'text');
      assert.equal(keyMeaning(press(key), { ...running, sinceComposition: 1 }), 'text');
    });
  }

  it('sends with the Enter that a person presses after the composition', () => {
    assert.equal(keyMeaning(press('Enter'), { ...idle, sinceComposition: 60 }), 'send');
  });

  it('leaves all other keys to the text', () => {
    for (const key of ['a', 'Tab', 'ArrowUp', 'Process'])
      assert.equal(keyMeaning(press(key), running), 'text');
  });

  it('knows an Escape that is not an input method’s', () => {
    assert.equal(isOfInputMethod(press('Escape'), idle), false);
    assert.equal(isOfInputMethod(press('Escape', { isComposing: true }), idle), true);
    assert.equal(isOfInputMethod(press('Escape', { keyCode: 229 }), idle), true);
    assert.equal(isOfInputMethod(press('Escape'), { ...idle, composing: true }), true);
    assert.equal(isOfInputMethod(press('Escape'), { ...idle, sinceComposition: 1 }), true);
  });
});
