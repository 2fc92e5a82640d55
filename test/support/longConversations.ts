/** Long conversations, as models make them. */
import type { Turn } from '../../src/core/conversation/conversation.ts';
import { openTurn, turn } from '../e2e/support/panelPage.ts';

const blocks: readonly ((at: number) => string)[] = [
  (at) => `## Step ${at}: read the cart`,
  (at) =>
    `The function \`total${at}\` adds up the **lines** of the cart, and rounds only at the end. That is why the sum of the receipt can differ by a cent from the sum of its [lines](https://example.com/${at}).`,
  () =>
    `- every line has a count and a price\n- prices are whole cents\n- a discount is taken from the sum, not from each line`,
  (at) =>
    `\`\`\`ts\nexport function total${at}(lines: readonly Line[]): number {\n  // Whole cents: no rounding on the way.\n  const sum = lines.reduce((all, { count, price }) => all + count * price, 0);\n  return Math.round(sum * (1 - discount));\n}\n\`\`\``,
  (at) =>
    `Nothing else has to change for it. The tests that look at \`${at}\` still hold, because they compare whole cents, and those that look at the text of the receipt are made from the same number.`,
  () =>
    `| Case | Before | After |\n| :--- | ---: | ---: |\n| no lines | 0 | 0 |\n| one line | 19.99 | 19.99 |\n| discount | 17.991 | 17.99 |`,
  () => `> A receipt is what the customer sees. It has to add up.`,
];

/** Markdown of at least so many characters, whole blocks. */
export function markdown(characters: number): string {
  const pieces: string[] = [];
  for (let length = 0, at = 0; length < characters; at += 1) {
    const piece = blocks[at % blocks.length]?.(at) ?? '';
    pieces.push(piece);
    length += piece.length + 2;
  }
  return `${pieces.join('\n\n')}\n\n`;
}

/** Settled turns with reasoning, a tool and an answer each. */
export function settledTurns(count: number): Turn[] {
  return Array.from({ length: count }, (_, at) =>
    turn(`t${at}`, {
      question: { text: `Question ${at}: why does the receipt of cart ${at} not add up?`, attachments: [] },
      parts: [
        { kind: 'reasoning', id: '0.0', sections: [markdown(200)], openedAt: 2_000, closedAt: 5_000 },
        {
          kind: 'tool',
          id: '0.1',
          name: 'read_file',
          input: `{"path":"src/cart${at}.ts"}`,
          openedAt: 5_000,
          askedAt: 5_500,
          closedAt: 6_000,
          outcome: { kind: 'done', text: 'export const lines = [];' },
        },
        { kind: 'answer', id: '1.0', sections: [markdown(600)], openedAt: 6_000, closedAt: 19_000 },
      ],
    }),
  );
}

/** A turn whose answer is still arriving. */
export function runningTurn(id: string, text: string): Turn {
  return openTurn(id, {
    parts: [{ kind: 'answer', id: '0.0', sections: [text], openedAt: 2_000 }],
  });
}
