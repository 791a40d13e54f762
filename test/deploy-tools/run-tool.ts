import { spawnSync } from 'node:child_process';

export interface ToolResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function runTool(
  tool: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): ToolResult {
  const { status, stdout, stderr, error } = spawnSync(tool, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error) throw error;
  return { exitCode: status, stdout, stderr };
}
