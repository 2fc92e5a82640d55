/** The tools with which the model reads the workspace. They change nothing and run nothing. */
import { findReferencesTool, findSymbolTool, goToDefinitionTool, hoverTool } from './navigation.ts';
import { getProblemsTool } from './getProblems.ts';
import { gitDiffTool } from './gitDiff.ts';
import { listFilesTool } from './listFiles.ts';
import { openEditorsTool } from './openEditors.ts';
import { readFileTool } from './readFile.ts';
import type { ReadingPorts } from './readingPorts.ts';
import { searchTextTool } from './searchText.ts';
import type { Tool } from './tool.ts';

/** Always in the same order: what a request begins with must stay the same from one to the next. */
export function readingTools(ports: ReadingPorts): readonly Tool[] {
  return [
    readFileTool(ports),
    listFilesTool(ports),
    searchTextTool(ports),
    getProblemsTool(ports),
    findSymbolTool(ports),
    goToDefinitionTool(ports),
    findReferencesTool(ports),
    hoverTool(ports),
    openEditorsTool(ports),
    gitDiffTool(ports),
  ];
}
