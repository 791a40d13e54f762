import type { Language } from '../names.js';
import { type StopCause } from '../reply/reply.js';

/**
 * Why an area does not take what is sent, in words: what happened, and what to do. One table for the log, `run`,
 * `status`, `doctor`, the pages and the notices, so that no two places blame different things.
 */

interface CauseText {
  /** What happened, a whole sentence. */
  readonly says: string;
  /** The likely cause and what to do. */
  readonly hint: string;
}

const ENGLISH: Readonly<Record<StopCause, CauseText>> = {
  proxy: {
    says: 'The proxy on the way to the platform fails.',
    hint: 'The proxy is in the way, not the platform: check its address, user and password, and its certificate. Where no proxy is needed, name the platform in NO_PROXY.',
  },
  certificate: {
    says: 'The certificate of the platform is not trusted.',
    hint: 'Check the clock of this machine, then ask the operator of the platform. For a certificate of your own authority, as gateways and some proxies have it, name its file in platform.ca (or in NODE_EXTRA_CA_CERTS).',
  },
  'client-certificate': {
    says: 'The platform, or the gateway in front of it, asks for a client certificate.',
    hint: 'Name the certificate and its key in platform.clientCertificate (docs/deploy.md). One that is there must be valid, and issued for this platform: ask its operator.',
  },
  'tls-alert': {
    says: 'The platform ended the TLS handshake.',
    hint: 'Usually it asks for a client certificate: name it in platform.clientCertificate (docs/deploy.md). It may also want another version of TLS: ask its operator.',
  },
  'not-http': {
    says: 'The platform, or a proxy, answers with what is not valid HTTP.',
    hint: 'A folded header is an example: its operator has to correct that, because programs disagree about where such a reply ends.',
  },
  'headers-too-large': {
    says: 'The platform, or something in front of it, answers with more than 16 kB of headers.',
    hint: 'Start the worker with NODE_OPTIONS=--max-http-header-size=65536 in its environment, and ask the operator why: cookies and keys of caches are usual causes.',
  },
  'wrong-scheme': {
    says: 'http:// and https:// are mixed up: the port of the platform speaks the other one.',
    hint: 'Correct baseUrl: https:// for a port with TLS, http:// for one without, and the port itself. What stands in between may also have lost its TLS.',
  },
  'unknown-host': {
    says: 'No host has the name of the platform (DNS).',
    hint: 'Check the name in baseUrl, and the DNS of this machine. If only a proxy leads out of your network, name it in platform.proxy.',
  },
  'put-off': {
    says: 'The platform answers, but asks to try again later.',
    hint: 'Its words are in the last error. If the function reply of platform.adapter makes it so, look at that.',
  },
  failing: {
    says: 'The platform answers, but only with errors.',
    hint: 'The platform is in trouble, not this machine. If it lasts, ask its operator.',
  },
  page: {
    says: 'A web page answers in place of the platform.',
    hint: 'It may be in maintenance: the title of the page says so, if it has one. If it lasts, check baseUrl and platform.proxy, then ask its operator.',
  },
  'too-large': {
    says: 'The platform answers with more than any record needs.',
    hint: 'Ask its operator, or check whether a proxy answers in its place.',
  },
  'too-slow': {
    says: 'The platform does not answer in time.',
    hint: 'It seems to be down, or slower than the timeout of the area (platform.jobs.timeout, platform.training.timeout) allows.',
  },
  'no-reply': {
    says: 'The platform does not answer: the connection ends without a reply.',
    hint: 'It seems to be down, or something on the way ends the connection. If it lasts, ask its operator.',
  },
  unreachable: {
    says: 'The platform cannot be reached.',
    hint: 'It seems to be down, or the network or its DNS (EAI_AGAIN) does not lead there. If only a proxy leads out of your network, name it in platform.proxy.',
  },
  edge: {
    says: 'The edge in front of the platform (CDN or firewall) refuses our requests.',
    hint: 'The reply is a web page, so it does not come from the platform. Ask its operator whether your address is allowed.',
  },
  'edge-certificate': {
    says: 'The edge in front of the platform asks for a client certificate, or refuses ours.',
    hint: 'Name it in platform.clientCertificate (docs/deploy.md). One that is there must be valid, and issued for this platform.',
  },
  clock: {
    says: 'The platform refuses our signature, and our clock differs from its clock.',
    hint: "The signature carries the time: correct this machine's clock (NTP).",
  },
};

const INDONESIAN: Readonly<Record<StopCause, CauseText>> = {
  proxy: {
    says: 'Proxy di jalan menuju platform gagal.',
    hint: 'Yang menghalangi proxy, bukan platform: periksa alamat, pengguna, kata sandi, dan sertifikatnya. Jika proxy tidak perlu, sebutkan platform di NO_PROXY.',
  },
  certificate: {
    says: 'Sertifikat platform tidak dipercaya.',
    hint: 'Periksa jam komputer ini, lalu tanyakan kepada pengelola platform. Untuk sertifikat dari otoritas sendiri, sebutkan berkasnya di platform.ca (atau NODE_EXTRA_CA_CERTS).',
  },
  'client-certificate': {
    says: 'Platform, atau gateway di depannya, meminta sertifikat klien.',
    hint: 'Sebutkan sertifikat dan kuncinya di platform.clientCertificate (docs/deploy.md). Sertifikat itu harus masih berlaku dan dibuat untuk platform ini: tanyakan kepada pengelolanya.',
  },
  'tls-alert': {
    says: 'Platform mengakhiri jabat tangan TLS.',
    hint: 'Biasanya platform meminta sertifikat klien: sebutkan di platform.clientCertificate (docs/deploy.md). Mungkin juga versi TLS lain: tanyakan kepada pengelolanya.',
  },
  'not-http': {
    says: 'Platform, atau sebuah proxy, menjawab dengan HTTP yang tidak sah.',
    hint: 'Pengelolanya perlu memperbaikinya, karena program tidak sepakat di mana jawaban seperti itu berakhir.',
  },
  'headers-too-large': {
    says: 'Platform, atau sesuatu di depannya, menjawab dengan header lebih dari 16 kB.',
    hint: 'Jalankan worker dengan NODE_OPTIONS=--max-http-header-size=65536, dan tanyakan sebabnya kepada pengelolanya.',
  },
  'wrong-scheme': {
    says: 'http:// dan https:// tertukar: port platform memakai yang lain.',
    hint: 'Perbaiki baseUrl: https:// untuk port dengan TLS, http:// untuk yang tanpa TLS, dan periksa portnya.',
  },
  'unknown-host': {
    says: 'Tidak ada host dengan nama platform (DNS).',
    hint: 'Periksa nama di baseUrl dan DNS komputer ini. Jika hanya proxy yang keluar dari jaringan Anda, sebutkan di platform.proxy.',
  },
  'put-off': {
    says: 'Platform menjawab, tetapi meminta dicoba lagi nanti.',
    hint: 'Pesannya ada pada kesalahan terakhir. Jika fungsi reply dari platform.adapter penyebabnya, periksa fungsi itu.',
  },
  failing: {
    says: 'Platform menjawab, tetapi hanya dengan kesalahan.',
    hint: 'Yang terganggu platform, bukan komputer ini. Jika berlanjut, tanyakan kepada pengelolanya.',
  },
  page: {
    says: 'Sebuah halaman web menjawab sebagai ganti platform.',
    hint: 'Mungkin sedang pemeliharaan: judul halaman menyebutkannya, jika ada. Jika berlanjut, periksa baseUrl dan platform.proxy, lalu tanyakan kepada pengelolanya.',
  },
  'too-large': {
    says: 'Platform menjawab dengan lebih banyak dari yang diperlukan sebuah data.',
    hint: 'Tanyakan kepada pengelolanya, atau periksa apakah proxy yang menjawab.',
  },
  'too-slow': {
    says: 'Platform tidak menjawab pada waktunya.',
    hint: 'Platform mungkin tidak berjalan, atau lebih lambat dari batas waktu area (platform.jobs.timeout, platform.training.timeout).',
  },
  'no-reply': {
    says: 'Platform tidak menjawab: koneksi berakhir tanpa jawaban.',
    hint: 'Platform mungkin tidak berjalan, atau sesuatu di jalan mengakhiri koneksi. Jika berlanjut, tanyakan kepada pengelolanya.',
  },
  unreachable: {
    says: 'Platform tidak dapat dihubungi.',
    hint: 'Platform mungkin tidak berjalan, atau jaringan tidak menuju ke sana. Jika hanya proxy yang keluar dari jaringan Anda, sebutkan di platform.proxy.',
  },
  edge: {
    says: 'Lapisan di depan platform (CDN atau firewall) menolak permintaan kita.',
    hint: 'Jawabannya halaman web, jadi bukan dari platform. Tanyakan kepada pengelolanya apakah alamat Anda diizinkan.',
  },
  'edge-certificate': {
    says: 'Lapisan di depan platform meminta sertifikat klien, atau menolak milik kita.',
    hint: 'Sebutkan di platform.clientCertificate (docs/deploy.md). Sertifikat itu harus masih berlaku dan dibuat untuk platform ini.',
  },
  clock: {
    says: 'Platform menolak tanda tangan kita, dan jam kita berbeda dari jamnya.',
    hint: 'Tanda tangan memuat waktu: perbaiki jam komputer ini (NTP).',
  },
};

const CAUSE_TEXTS: Readonly<Record<Language, Readonly<Record<StopCause, CauseText>>>> = {
  en: ENGLISH,
  id: INDONESIAN,
};

/** What happened and what to do. Null: the cause is not known, or one of a later version. */
export function causeText(cause: StopCause | null | undefined, language: Language): CauseText | null {
  const texts = CAUSE_TEXTS[language];
  return cause && Object.hasOwn(texts, cause) ? texts[cause] : null;
}
