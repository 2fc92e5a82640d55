import assert from 'node:assert/strict';

import { commandPrompts, promptHeading } from '../../../src/core/conversation/commandPrompts.ts';
import {
  changedRulesHeading,
  goneRulesHeading,
  rulesHeading,
} from '../../../src/core/conversation/ruleTexts.ts';

describe('what the model is told of instructions and prompts', () => {
  it('says where they come from and what they hold for, whatever a file is called', () => {
    const root = rulesHeading('AGENTS.md', '');
    assert.equal(root, 'Standing instructions for this workspace, from "AGENTS.md"');
    assert.match(
      rulesHeading('a/AGENTS.md', 'a'),
      /for what is in "a", from "a\/AGENTS\.md"; they count more/,
    );
    assert.match(rulesHeading('a\nb/AGENTS.md', 'a\nb'), /"a\\nb"/);
    assert.match(changedRulesHeading(root), /"AGENTS\.md"; these stand in the place of the earlier ones$/);
    assert.equal(goneRulesHeading('a"b'), 'The earlier instructions from "a\\"b" no longer hold');
    assert.equal(promptHeading('fix'), 'What "/fix" asks for');
    assert.equal(promptHeading('x', 'x.prompt.md'), 'What "/x" asks for, from the prompt file "x.prompt.md"');
  });

  it('asks for one thing a command, and for no change where none is wanted', () => {
    assert.deepEqual(Object.keys(commandPrompts), ['explain', 'fix', 'tests', 'doc', 'review', 'commit']);
    for (const name of ['explain', 'review'] as const)
      assert.match(commandPrompts[name], /Change nothing\.$/);
    assert.match(commandPrompts.commit, /in one code block/);
  });
});
