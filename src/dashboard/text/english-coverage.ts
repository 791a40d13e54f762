/** Texts of the page about the platform's interface, in English. The assumptions are those of `PROBE_CHECKS`. */
export const ENGLISH_COVERAGE = {
  title: 'Coverage',
  heading: 'What is assumed of the platform, and what it was observed to do',
  explanation:
    'Half of the interface is assumed. A first contact with one company and one vacancy finds out what this platform does otherwise:',
  observedOf: (environment: string) => `Observed of ${environment}`,
  assumption: 'Assumption',
  result: 'Result',
  seen: 'Seen',
  setting: 'Setting',
  observedAt: 'Observed',
  results: { confirmed: 'confirmed', differs: 'differs', unknown: 'unknown' },
  notObserved: 'not observed yet',
  noArea: 'The configuration has no job-placement area, so nothing can be observed.',
  assumptions: {
    reachable: 'The base URL answers directly, over a connection that this machine trusts.',
    clock: 'The clocks of this machine and of the platform differ by less than a minute.',
    'wrong-signature': 'The right signature is accepted, and a wrong one is answered with 401 or 403.',
    'unknown-id': 'A Find of an id that no record has is answered with 404, or with an empty result.',
    'put-status':
      'A Put that is done is answered with 200 or 201, or with a status that the settings accept.',
    envelope: 'The result of a Put is an object, in data or where platform.replies.data says.',
    reference: 'The reply to a Put gives the company’s reference, as text or as a whole number.',
    'find-shape': 'A Find shows what was put, in the fields that the contract names.',
    'same-reference': 'Every Put of a company gives the same reference.',
    'absent-field': 'A Put replaces the whole record: a field that it does not fill is cleared.',
    'parent-reference': 'A vacancy is accepted with the company’s reference as employer.id.',
    'request-id-reuse': 'A Request-Id that was used before is answered with 409, or like the first one.',
    'rate-headers':
      'The platform takes as many requests as ratePerSecond allows, and announces no lower limit.',
  },
};
