import module from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './compose/package-info.js';

/** From Node 22.1 on; absent before. */
type Cached = typeof module & { enableCompileCache?(folder: string): unknown };

/**
 * Keeps what V8 compiled for the next start. The folder lies beside the code, not in the shared temporary folder that
 * Node would use: Node executes its content, so only a user who may change the code may write there. If the folder cannot
 * be written (a container with a read-only root), Node goes on without it.
 */
(module as Cached).enableCompileCache?.(join(PACKAGE_ROOT, 'node_modules', '.cache', 'placement-sync'));
