/** Markdown as elements. HTML is shown as text, images are described, and no markup is ever made from a string. */
import type { Token, Tokens } from 'marked';
import {
  Component,
  createRef,
  Fragment,
  type ComponentChild,
  type ComponentChildren,
  type RefObject,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { useRevealed } from '../find/revealed.ts';
import { textHeight } from '../heights.ts';
import { PlaceContext } from '../kept.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { useNear } from '../nearScreen.ts';
import { selectedIn, selectIn, type SelectedText } from '../selectedText.ts';
import { Strips } from '../strips.ts';
import { CheckIcon } from '../views/icons.tsx';
import { Place } from '../views/Place.tsx';
import {
  advance,
  groupsOf,
  codeText,
  known,
  noBlocks,
  type Block,
  type Blocks,
  type OpenFence,
  type ShownToken,
} from './blocks.ts';
import { Code } from './Code.tsx';
import { directionOf } from './direction.ts';
import { decodeEntities } from './entities.ts';
import { footnotes, noFootnotes, type Footnotes } from './footnotes.ts';
import { FootnotesView, NoteMarkView, NoteNumbers } from './Footnotes.tsx';
import { Formula, FormulaBlock } from './Formula.tsx';
import { ImageText, Link } from './Link.tsx';
import { roomForNumbers } from './listNumbers.ts';
import { Plain, Prose } from './Plain.tsx';
import { inlineText } from './plainText.ts';
import { Sentences } from './sentences.ts';

export interface MarkdownProps {
  /** May only grow while not `done`; if it is replaced everything is parsed anew. */
  readonly text: string;
  readonly done: boolean;
  /** Told each sentence once, in order, when it is whole. */
  readonly onSentence?: (sentence: string) => void;
}

/** Keeps what was parsed from one drawing to the next. */
export class Markdown extends Component<MarkdownProps> {
  #blocks: Blocks = noBlocks;
  #footnotes: Footnotes = noFootnotes;
  readonly #strips = new Strips<readonly Block[]>(stripSize);
  readonly #sentences = new Sentences(l10n.locale);
  readonly #element = createRef<HTMLDivElement>();

  override shouldComponentUpdate(next: Readonly<MarkdownProps>): boolean {
    return next.text !== this.props.text || next.done !== this.props.done;
  }

  override componentDidMount(): void {
    this.#speak();
  }

  override getSnapshotBeforeUpdate(): SelectedText | undefined {
    return this.#element.current === null ? undefined : selectedIn(this.#element.current);
  }

  override componentDidUpdate(_: unknown, __: unknown, selected: SelectedText | undefined): void {
    if (this.#element.current !== null && selected !== undefined) selectIn(this.#element.current, selected);
    this.#speak();
  }

  override render({ text, done }: Readonly<MarkdownProps>): VNode {
    this.#blocks = advance(this.#blocks, text, done);
    const { tail, tailStart } = this.#blocks;
    const groups = groupsOf(this.#blocks);
    const live = tail.length === 0 ? Infinity : tailStart;
    this.#footnotes = footnotes(this.#blocks, this.#footnotes);
    return (
      <NoteNumbers.Provider value={this.#footnotes.numbers}>
        <Placed element={this.#element}>
          {this.#strips.of(groups).map((strip, index) => (
            <Strip
              key={strip[0]?.[0]?.start ?? 0}
              groups={strip}
              live={live}
              after={groups.length - Math.min(groups.length, (index + 1) * stripSize)}
              pinned={groups.length < fewGroups}
            />
          ))}
          {this.#footnotes.notes.length === 0 ? null : (
            <FootnotesView footnotes={this.#footnotes}>
              {(note) => <Place name={`note ${note.label}`}>{blocks(note.tokens, done)}</Place>}
            </FootnotesView>
          )}
        </Placed>
      </NoteNumbers.Provider>
    );
  }

  #speak(): void {
    const { onSentence } = this.props;
    if (onSentence === undefined) return;
    for (const sentence of this.#sentences.of(this.#blocks)) onSentence(sentence);
  }
}

/** Says where it stands, so that what is found is found in it. */
function Placed(props: { element: RefObject<HTMLDivElement | null>; children: ComponentChildren }): VNode {
  const { element, children } = props;
  return (
    <div ref={element} class="markdown" data-place={useContext(PlaceContext)}>
      {children}
    </div>
  );
}

/** With so many groups of blocks a text is long enough that those far from the screen are left out. */
const fewGroups = 4;
/** Groups that are passed over together while nothing of them changes. */
const stripSize = 16;

interface StripProps {
  readonly groups: readonly (readonly Block[])[];
  /** Where what may still change begins. A group with any of that is another one each time. */
  readonly live: number;
  /** Groups after it. */
  readonly after: number;
  readonly pinned: boolean;
}

const Strip = memo(
  ({ groups, live, after, pinned }: StripProps): VNode => (
    <>
      {groups.map((blocks, index) => (
        <Group
          key={blocks[0]?.start ?? 0}
          blocks={blocks}
          live={live}
          first={index + 2 >= groups.length + after}
          pinned={pinned}
        />
      ))}
    </>
  ),
  (before, next) => before.groups === next.groups && before.pinned === next.pinned,
);

interface GroupProps {
  readonly blocks: readonly Block[];
  readonly live: number;
  /** Among the last ones when it is drawn first: what is read then. */
  readonly first: boolean;
  readonly pinned: boolean;
}

const Group = memo(({ blocks, live, first, pinned }: GroupProps): VNode => {
  const start = blocks[0]?.start ?? 0;
  const grows = (blocks.at(-1)?.start ?? 0) >= live;
  const { element, near, height } = useNear(first, useRevealed(start) || pinned || grows);
  if (near) {
    return (
      <div ref={element} class="group" data-start={start} data-group={start}>
        {blocks.map((block) => (
          <ShownBlock key={block.start} block={block} settled={block.start < live} />
        ))}
      </div>
    );
  }
  const reckoned = height ?? blocks.reduce((sum, block) => sum + textHeight(block.raw.length), 0);
  return (
    <div ref={element} class="group" data-group={start} data-far="" style={{ height: `${reckoned}px` }} />
  );
}, sameGroup);

/** Whether it is among the last only matters when it is drawn first. */
function sameGroup(before: GroupProps, after: GroupProps): boolean {
  return before.blocks === after.blocks && before.pinned === after.pinned;
}

/** The same one before and after it is settled, so that its elements stay. */
const ShownBlock = memo(({ block, settled }: { block: Block; settled: boolean }): VNode => {
  const element =
    block.token.type === 'code' ? (
      <Fence key={0} token={block.token} open={block.open} settled={settled} text={() => codeText(block)} />
    ) : (
      blockElement(block.token, 0, settled)
    );
  return holdsCode(block.raw) ? <Place name={String(block.start)}>{element}</Place> : <>{element}</>;
});

/** What can be done with a block of code is remembered by its place. */
function holdsCode(raw: string): boolean {
  return raw.includes('```') || raw.includes('~~~') || /^(?: {4}|\t)/m.test(raw);
}

function placed(name: string, raw: string, content: ComponentChild): ComponentChild {
  return holdsCode(raw) ? <Place name={name}>{content}</Place> : content;
}

function Fence(props: {
  key?: number;
  token: Tokens.Code;
  open: OpenFence | undefined;
  settled: boolean;
  text: () => string;
}): VNode {
  const { token, text, open, settled } = props;
  return <Code info={token.lang ?? ''} text={text} open={open} settled={settled} />;
}

function blockElement(token: ShownToken, key: number, settled: boolean): ComponentChild {
  switch (token.type) {
    case 'paragraph':
      return (
        <p key={key} dir="auto" {...(holdsFormula(token.raw) && { class: 'with-formula' })}>
          {inline(token.tokens)}
        </p>
      );
    case 'heading':
      // The turn's own heading is the second level. Models begin anywhere and skip levels: for the outline all are the third.
      return (
        <h3 key={key} dir="auto" class={`heading-${token.depth}`}>
          {inline(token.tokens)}
        </h3>
      );
    case 'code':
      return placed(
        `code ${key}`,
        token.raw,
        <Fence key={key} token={token} open={undefined} settled={settled} text={() => token.text} />,
      );
    case 'formula':
      return <FormulaBlock key={key} tex={token.text} raw={token.raw} display={true} />;
    case 'blockquote':
      return (
        <blockquote key={key} dir={directionOf(token)}>
          {placed(`quote ${key}`, token.raw, blocks(token.tokens, settled))}
        </blockquote>
      );
    case 'list_item':
      return <Fragment key={key}>{blocks(token.tokens, settled)}</Fragment>;
    case 'list':
      return listElement(token, key, settled);
    case 'table':
      return tableElement(token, key);
    case 'hr':
      return <hr key={key} />;
    case 'html':
      return (
        <p key={key} class="html-text" dir="auto">
          <Plain text={token.text.replace(/\n+$/, '')} />
        </p>
      );
    case 'text':
      if (token.tokens === undefined) return decodeEntities(token.text);
      return holdsFormula(token.raw) ? (
        <div key={key} class="with-formula">
          {inline(token.tokens)}
        </div>
      ) : (
        inline(token.tokens, key)
      );
    case 'def':
    case 'space':
    // It stands at the end.
    case 'note':
      return null;
    default:
      return inlineElement(token, key, false);
  }
}

/** Perhaps. A line with one can be scrolled. */
function holdsFormula(raw: string): boolean {
  return raw.includes('$$') || raw.includes('\\(') || raw.includes('\\[');
}

function blocks(tokens: readonly Token[], settled: boolean): ComponentChild[] {
  return tokens.map((token, index) => blockElement(known(token), index, settled));
}

function listElement(token: Tokens.List, key: number, settled: boolean): VNode {
  const className = token.items.some((item) => item.task) ? 'tasks' : undefined;
  const items = token.items.map((item, index) =>
    holdsCode(item.raw) ? (
      <Place key={index} name={`${key} ${index}`}>
        <Item item={item} settled={settled} />
      </Place>
    ) : (
      <Item key={index} item={item} settled={settled} />
    ),
  );
  if (!token.ordered) {
    return (
      <ul key={key} dir={directionOf(token)} {...(className !== undefined && { class: className })}>
        {items}
      </ul>
    );
  }
  return (
    <ol
      key={key}
      dir={directionOf(token)}
      style={roomForNumbers((Number(token.start) || 0) + items.length - 1)}
      {...(typeof token.start === 'number' && token.start !== 1 && { start: token.start })}
    >
      {items}
    </ol>
  );
}

/** An item whose source is the same looks the same, unless it refers to a definition that came meanwhile. */
const Item = memo(
  ({ item, settled }: { item: Tokens.ListItem; settled: boolean }): VNode => (
    <li {...(item.task && { class: 'task' })} {...(item.loose && !item.task && { class: 'loose' })}>
      {blocks(item.tokens, settled)}
    </li>
  ),
  (before, after) =>
    before.settled === after.settled &&
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose &&
    !after.item.raw.includes(']'),
);

function tableElement(token: Tokens.Table, key: number): VNode {
  return (
    // Wide tables are scrolled, also with the keyboard.
    <div
      key={key}
      class="table"
      dir={directionOf(token)}
      tabIndex={0}
      role="group"
      aria-label={l10n.t('Table')}
    >
      <table>
        <thead>
          <tr>{token.header.map((cell, index) => cellElement(cell, index))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map((cell, column) => cellElement(cell, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellElement(cell: Tokens.TableCell, key: number): VNode {
  const Tag = cell.header ? 'th' : 'td';
  return (
    <Tag key={key} dir="auto" {...(cell.align !== null && { class: `align-${cell.align}` })}>
      {inline(cell.tokens, 0, true)}
    </Tag>
  );
}

/** `breaks`: the one tag that has no other way of being written in a cell, `<br>`, is a line break there. */
function inline(tokens: readonly Token[], key = 0, breaks = false): ComponentChild {
  return (
    <Fragment key={key}>{tokens.map((token, index) => inlineElement(known(token), index, breaks))}</Fragment>
  );
}

function inlineElement(token: ShownToken, key: number, breaks: boolean): ComponentChild {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? (
        <Prose key={key} text={decodeEntities(token.text)} />
      ) : (
        inline(token.tokens, key, breaks)
      );
    case 'escape':
      return token.text;
    case 'strong':
      return <strong key={key}>{inline(token.tokens, 0, breaks)}</strong>;
    case 'em':
      return <em key={key}>{inline(token.tokens, 0, breaks)}</em>;
    case 'del':
      return <del key={key}>{inline(token.tokens, 0, breaks)}</del>;
    case 'codespan':
      return (
        <code key={key} dir="ltr">
          <Plain text={token.text} />
        </code>
      );
    case 'br':
      return <br key={key} />;
    case 'link':
      return (
        <Link key={key} href={decodeEntities(token.href)} label={inlineText(token.tokens)}>
          {inline(token.tokens, 0, breaks)}
        </Link>
      );
    case 'image':
      return <ImageText key={key} href={decodeEntities(token.href)} description={inlineText(token.tokens)} />;
    case 'checkbox':
      return (
        <span
          key={key}
          class="task-mark"
          role="img"
          aria-label={token.checked ? l10n.t('Done') : l10n.t('Not done')}
        >
          {token.checked ? <CheckIcon /> : null}
        </span>
      );
    case 'formula':
      return <Formula key={key} tex={token.text} raw={token.raw} display={token.display} />;
    case 'noteMark':
      return <NoteMarkView key={key} label={token.label} raw={token.raw} />;
    case 'html':
      if (breaks && /^<br\s*\/?>$/i.test(token.text)) return <br key={key} />;
      return <Plain key={key} text={token.text} />;
    case 'def':
    case 'space':
    case 'note':
      return null;
    default:
      return blockElement(token, key, false);
  }
}
