import type { Hono } from 'hono';
import type { Access } from './access/access.js';
import { notIntended } from './answers.js';
import type { DashboardEnv } from './dashboard-request.js';
import { localPath } from './local-path.js';
import { loginPage } from './pages/plain-pages.js';
import { readForm } from './read-form.js';

/** To log in with the token, and to log out. */
export function logInRoutes(app: Hono<DashboardEnv>, access: Access): void {
  app.get('/login', (c) => {
    const back = localPath(c.req.query('back'));
    return access.hasToken ? c.html(loginPage(c.get('page'), back, null)) : c.redirect('/', 303);
  });
  app.post('/login', async (c) => {
    if (!access.isIntendedLogin(c)) return notIntended(c);
    const { token = '', back }: Readonly<Record<string, string>> = Object.fromEntries(await readForm(c));
    const page = c.get('page');
    const outcome = access.logIn(c, token);
    if (outcome === 'welcome') return c.redirect(localPath(back), 303);
    if (outcome === 'wrong') return c.html(loginPage(page, localPath(back), page.texts.loginWrong), 401);
    c.header('Retry-After', String(outcome.wait));
    const problem = page.texts.loginTooMany(page.format.number(outcome.wait));
    return c.html(loginPage(page, localPath(back), problem), 429);
  });
  app.post('/logout', async (c) => {
    const form = await readForm(c);
    if (!access.isIntended(c, form.get('form') ?? '')) return notIntended(c);
    access.logOut(c);
    return c.redirect('/login', 303);
  });
}
