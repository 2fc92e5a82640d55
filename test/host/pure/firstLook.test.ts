/** What a panel shows while a long conversation is being read. */
import assert from 'node:assert/strict';

import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { showWhileRead } from '../../../src/host/sessions/firstLook.ts';
import type { ChatSession } from '../../../src/host/sessions/session.ts';

const [empty, read, other] = [{}, {}, {}] as unknown as readonly [ChatSession, ChatSession, ChatSession];
const end: Conversation = { id: 'c', turns: [] };

/** A panel that writes down what it shows. */
class Panel {
  readonly shown: unknown[] = [];
  current = empty;
  previewed: Conversation | undefined;
  preview(conversation: Conversation | undefined): void {
    this.previewed = conversation;
    this.shown.push(conversation ?? this.current);
  }
  show(session: ChatSession): void {
    this.current = session;
    this.previewed = undefined;
    this.shown.push(session);
  }
}

describe('a conversation that is being read', () => {
  const ports = { peek: () => Promise.resolve(end), open: () => Promise.resolve(read) };

  it('has its end shown, and then itself', async () => {
    const panel = new Panel();
    assert.equal(await showWhileRead(panel, ports), read);
    assert.deepEqual(panel.shown, [end, read]);
  });

  it('is shown when it is there where it is soon read', async () => {
    const panel = new Panel();
    await showWhileRead(panel, { ...ports, peek: () => Promise.resolve(undefined) });
    assert.deepEqual(panel.shown, [read]);
  });

  it('leaves the panel as it was when it can’t be read', async () => {
    const panel = new Panel();
    assert.equal(await showWhileRead(panel, { ...ports, open: () => Promise.resolve(undefined) }), undefined);
    assert.deepEqual(panel.shown, [end, empty]);
    const broken = { ...ports, open: () => Promise.reject(new Error('broken')) };
    await assert.rejects(showWhileRead(panel, broken), /broken/);
    assert.equal(panel.previewed, undefined);
  });

  it('does not take a person away who went elsewhere meanwhile', async () => {
    const panel = new Panel();
    const open = (): Promise<ChatSession> => {
      panel.show(other);
      return Promise.resolve(read);
    };
    await showWhileRead(panel, { ...ports, open });
    assert.deepEqual(panel.shown, [end, other]);
    // To a new one, in the place of which the end stood.
    const stays = new Panel();
    const leave = (): Promise<ChatSession> => {
      stays.preview(undefined);
      return Promise.resolve(read);
    };
    await showWhileRead(stays, { ...ports, open: leave });
    assert.deepEqual(stays.shown, [end, empty]);
    const asked = new Panel();
    await showWhileRead(asked, { ...ports, isWanted: () => false });
    assert.deepEqual(asked.shown, []);
  });
});
