import module from 'node:module';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './compose/package-info.js';

/** From Node 22.1 on; absent before. */
type Cached = typeof module & { enableCompileCache?(folder: string): unknown };

/**
 * Keeps what V8 compiled, so that the next start need not do it again. The folder lies beside the code, not in the
 * shared temporary folder that Node would take: what is in it is executed, and whoever may write there may change the
 * code as well. Where it cannot be written, as in a container with a read-only root, Node goes on without.
 */
(module as Cached).enableCompileCache?.(join(PACKAGE_ROOT, 'node_modules', '.cache', 'placement-sync'));
