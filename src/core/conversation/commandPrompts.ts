/** What the slash commands ask of the model, and how a prompt is told it. In English, whatever the person speaks: the answer follows them. */

const explain = `Explain the attached code to a programmer who is new to it. Begin with what it is for, in one or two sentences. Then go through how it does that, in the order in which it happens, and name what is surprising: side effects, assumptions about its callers, errors that are swallowed, edge cases. Name functions and variables as they are called in the code, with their lines. Leave out what the code says plainly itself. Change nothing.`;

const fix = `Find what is wrong in the attached code and fix it. Where problems are attached, these are to be gone; else look for real mistakes: wrong results, crashes, leaks, races, cases that are not handled. Say for each what is wrong and when it shows, then mend the cause and not the symptom, with the smallest change that does it. Do not restyle what is not touched. When nothing is wrong, say so and change nothing.`;

const tests = `Write tests for the attached code. Look first at how this project tests: its test runner, where its tests are, how they are named, what they share; do as they do. Cover what the code promises: usual cases, edges, wrong input, errors. Each test checks one thing and says in its name which; none that can't fail. Do not change the code under test: where a test shows a mistake in it, say so.`;

const doc = `Write or mend the doc comments of the attached code, in the form that the language and this project use. Say what callers need and can't see from the signature: what it is for, units and ranges, what is returned in edge cases, which errors come. Do not repeat names and types in words, and do not say how it works inside. Leave comments alone that are right. Change nothing but comments.`;

const review = `Review the attached changes, or the attached code, as a careful colleague does before it is merged. Look for what matters: wrong behaviour, cases that are not handled, security, races, data that may be lost, interfaces that break their callers, tests that are missing. For each finding give the file and line, what goes wrong and when, and what to do instead; the gravest first. Leave out matters of taste and what a formatter does. When you need to see more of a file to be sure, look. Say so plainly when you find nothing. Change nothing.`;

const commit = `Write the message for a commit of the attached changes. The first line says what the commit does, in the imperative, in at most 72 characters and without a full stop. Where the reason is not plain from that, a blank line follows and then a few lines on why, wrapped at 72 characters. Where this repository has a way of writing messages that you can see, keep to it. Do not list files. Answer with the message alone, in one code block, and nothing else.`;

/** By the name that is typed behind the slash. */
export const commandPrompts = { explain, fix, tests, doc, review, commit } as const;

/** What stands in front of a prompt; `path` of the file that it comes from, if it does. */
export function promptHeading(name: string, path?: string): string {
  const from = path === undefined ? '' : `, from the prompt file ${JSON.stringify(path)}`;
  return `What "/${name}" asks for${from}`;
}
