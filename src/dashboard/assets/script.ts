/**
 * Shows the buttons that copy a command, where the browser allows it. The key / leads to the search. Updates the `data-live` parts of a page every five seconds while the page is visible; what it cannot
 * update it marks as outdated, with the reason that the worker gives. A part stays as it is while the
 * focus is in it, a question is open in it, a record of it is ticked, or text of it is selected. Unfolded details stay open.
 */
export const SCRIPT = `'use strict';
(() => {
  if (!navigator.clipboard) return;
  const SHOWN_MS = 2000;
  document.documentElement.classList.add('copies');
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('button.copy') : null;
    if (!button) return;
    const [label] = button.childNodes;
    const { copied } = button.dataset;
    try {
      await navigator.clipboard.writeText(button.parentNode.querySelector('.command').textContent);
    } catch {
      return;
    }
    const before = label.data;
    if (before.trim() === copied) return;
    label.data = copied;
    document.getElementById('copied').textContent = copied;
    setTimeout(() => {
      label.data = before;
      document.getElementById('copied').textContent = '';
    }, SHOWN_MS);
  });
})();
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || document.activeElement?.matches('input, select')) return;
  event.preventDefault();
  document.querySelector('.search input')?.focus();
});
(() => {
  const PERIOD_MS = 5000;
  const line = document.getElementById('live');
  if (!line) return;
  const button = line.querySelector('button');
  const bannerParent = document.getElementById('main');
  const address = new URL(location.href);
  for (const name of ['done', 'count', 'of', 'outcome', 'lang']) address.searchParams.delete(name);
  // A reload must not show the message of a button again.
  history.replaceState(history.state, '', address);
  const LASTING_MS = 20000;
  let paused = false;
  let lastContact = new Date();
  let banner = null;

  const since = () =>
    lastContact.toLocaleTimeString(document.documentElement.lang, {
      timeZone: line.dataset.timeZone,
      hourCycle: 'h23',
    });

  const warn = (text) => {
    document.documentElement.classList.toggle('outdated', text !== null);
    if (text === null) {
      banner?.remove();
      banner = null;
      return;
    }
    if (!banner) {
      banner = document.createElement('p');
      banner.className = 'message lost';
      banner.setAttribute('role', 'alert');
      bannerParent.prepend(banner);
    }
    if (banner.textContent !== text) banner.textContent = text;
  };

  const isInUse = (part) => {
    const selection = document.getSelection();
    return (
      part.contains(document.activeElement) ||
      part.querySelector('details.asked[open], input:checked') !== null ||
      (selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode))
    );
  };

  const renew = (fresh) => {
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = fresh.getElementById(part.id);
      if (!next || isInUse(part) || next.innerHTML === part.innerHTML) continue;
      if ('lasting' in part.dataset && performance.now() < LASTING_MS) continue;
      for (const open of part.querySelectorAll('details[id][open]')) {
        const same = next.querySelector('#' + CSS.escape(open.id));
        if (same) same.open = true;
      }
      part.replaceChildren(...next.childNodes);
    }
    if (fresh.title) document.title = fresh.title;
  };

  const look = async () => {
    if (paused || document.hidden) return;
    try {
      const reply = await fetch(address, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
        signal: AbortSignal.timeout(20000),
      });
      if (reply.status === 401 || reply.type === 'opaqueredirect') {
        warn(line.dataset.login);
        return;
      }
      if (!reply.ok) {
        // The worker answers, and says itself what it lacks.
        const notice = new DOMParser().parseFromString(await reply.text(), 'text/html').querySelector('.notice');
        const reason = [...(notice?.querySelectorAll('h1, p:not(.hint)') ?? [])].map((part) => part.textContent.trim());
        if (reason.length === 0) throw new Error(String(reply.status));
        warn(line.dataset.unwell.replace('{reason}', () => reason.join(': ')).replace('{time}', since));
        return;
      }
      renew(new DOMParser().parseFromString(await reply.text(), 'text/html'));
      lastContact = new Date();
      warn(null);
    } catch {
      warn(line.dataset.lost.replace('{time}', since));
    }
  };

  const again = async () => {
    await look();
    setTimeout(again, PERIOD_MS);
  };

  button.addEventListener('click', () => {
    paused = !paused;
    button.textContent = paused ? button.dataset.resume : button.dataset.pause;
    if (!paused) void look();
  });
  line.hidden = false;
  setTimeout(again, PERIOD_MS);
})();
`;
