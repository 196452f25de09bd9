// A text to the credentials in it, by the formats that providers publish. Texts as they stand: decoded
// views of them are scan.ts's.

export interface Token {
  /** As a person would say it: "an AWS key". */
  kind: string
  value: string
}

/** Of providers whose tokens are a prefix of their own and then letters and digits. */
const PREFIXES =
  'dp\\.(?:pt|st|sa|ct|scim|audit)\\.|nfp_|ntn_|PMAK-|figd_|tskey-(?:auth|api|client)-|sntrys_|sntryu_|sbp_|pscale_(?:tkn|pw|oauth)_|fm[12]_|gsk_|xai-|pplx-|r8_|pcsk_|bkua_|CCIPAT_|pul-|CFPAT-|rubygems_|CLOJARS_|pnu_|tfp_|sk-or-v1-|sqp_|squ_|sqa_|aio_|HRKU-|rdme_|lin_oauth_|glc_|EZAK|EZTK|FLWSECK-|fio-u-|shp(?:at|ca|pa|ss)_|hv[sbr]\\.|dckr_(?:pat|oat)_|glsa_|ops_ey|lin_api_|SKIPX_|sl\\.u\\.|napi_|nvapi-|tok_live_|wh_live_|duffel_live_|patAT'

const TABLE: [kind: string, pattern: RegExp][] = [
  ['an AWS key', /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7][A-Z0-9]{15}(?![A-Za-z0-9])/g],
  ['an AWS secret key', /aws[\w. -]{0,20}(?:secret|sk)[\w. -]{0,20}["']?\s{0,4}(?:=>|[=:,])\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi],
  ['a GitHub token', /gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255}/g],
  ['a GitLab token', /gl(?:pat|ptt|dt|rt|cbt|agent|oas|soat)-[\w-]{20,}/g],
  ['a Slack token', /xox[abeoprs]-(?:[\w]{1,14}-){1,4}[A-Za-z0-9]{16,}|xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}/g],
  ['a Slack webhook', /hooks\.slack\.com\/(?:services|workflows)\/T\w{6,}\/[AB]\w{6,}\/\w{16,}/g],
  ['a Stripe key', /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/]{32,}/g],
  ['a Google key', /AIza[\w-]{35}(?![\w-])|GOCSPX-[\w-]{28}|ya29\.[\w-]{40,}/g],
  ['an OpenAI key', /sk-(?:proj|svcacct|admin)-[\w-]{40,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/g],
  ['an Anthropic key', /sk-ant-(?:api|admin|oat)\d\d-[\w-]{40,}/g],
  ['an npm token', /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g],
  ['a PyPI token', /pypi-AgEI[\w-]{50,}/g],
  ['a SendGrid key', /SG\.[\w-]{20,24}\.[\w-]{39,50}/g],
  ['a Twilio key', /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g],
  ['a Hugging Face token', /hf_[A-Za-z0-9]{34,}/g],
  ['a Telegram token', /(?<![\w])\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['an Azure key', /AccountKey=[A-Za-z0-9+/]{86}==|AIO[\w-]{30,}|[\w~.-]{3}8Q~[\w~.-]{34}/g],
  ['a DigitalOcean token', /do[opr]_v1_[a-f0-9]{64}/g],
  ['a Databricks token', /dapi[a-f0-9]{32}/g],
  ['a Notion token', /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/g],
  ['a Mailgun key', /(?<![\w-])key-[a-f0-9]{32}(?![\w-])/g],
  ['a Discord token', /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g],
  ['an Atlassian token', /AT(?:ATT3x|BB|CTT3x)[\w=-]{24,}/g],
  ['a New Relic key', /NRAK-[A-Z0-9]{27}/g],
  ['a Terraform token', /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g],
  ['a Square token', /sq0(?:atp|csp|idp)-[\w-]{22,43}|(?<![\w+/-])EAAA[\w-]{60}(?![\w+/=-])/g],
  ['an age key', /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g],
  ['a Sendinblue key', /xkeysib-[a-f0-9]{64}-\w{16}/g],
  ['an access token', new RegExp(String.raw`(?<![\w-])(?:${PREFIXES})[\w-]{20,300}(?![\w-])`, 'g')],
  ['a JSON web token', /(?<!eyJ)eyJ[\w-]{10,200}\.eyJ[\w-]{10,4000}\.[\w-]{20,1000}/g],
  ['a password in a URL', /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>{}$]{0,80}:([^\s:@/'"`<>{}$]{6,100})@[\w[]/gi],
]

/** Text without any of these holds no token, which is cheap to see. Of both directions. */
const MARKERS =
  'AKIA|ASIA|ABIA|ACCA|aws|AWS|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|cbt|agent|oas|soat)-|xox[abeoprs]-|xapp-|hooks\\.slack|[sr]k_(?:live|test)_|whsec_|AIza|GOCSPX-|ya29\\.|(?<![A-Za-z])sk-|npm_|pypi-|SG\\.|SK[0-9a-f]{4}|hf_|\\d:AA|eyJ|:\\/\\/[^\\s@/]{1,200}@|PRIVATE KEY|' +
  'shp[a-z]{2}_|glsa_|glc_|gsk_|lin_api|ntn_|secret_[A-Za-z0-9]{20}|ops_ey|hv[sbr]\\.|dapi[0-9a-f]{4}|dckr_|figd_|tskey-|A3-[A-Z0-9]{6}-|v1\\.0-|(?<![A-Za-z])vc[a-z]_|_authToken|AccountKey|8Q~|do[opr]_v1_|key-[a-f0-9]{8}|\\.[\\w-]{6}\\.[\\w-]{27}|AT(?:ATT3x|BB|CTT3x)|NRAK-|\\.atlasv1\\.|sq0|EAAA|AGE-SECRET|xkeysib-|' + PREFIXES
const FORWARD = new RegExp(MARKERS)
const BACKWARD = /AIKA|AISA|aIza|azIA|_[pousr]hg|_tap_buhtig|-tap[a-z]*lg|-[abeoprs]xox|_(?:evil|tset)_k[sr]|-ks|_mpn|-ipyp|\.GS|_fh|Jye|-XPSCOG|YEK ETAVIRP/

/** Published in a provider's own documentation, so nobody's. */
const EXAMPLES = [/EXAMPLE(KEY)?$/, /^sk_test_4eC39HqLyjWDarjtT1zdp7dc$/, /^eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwI/]
const PLACEHOLDER_PASSWORD = /^(?:pass(?:word|wd)?|secret|changeme|example|postgres|mysql|admin|root|test|user|token|your[-_]?\w*|my[-_]?(?:pass|secret)\w*|x+|\*+|\.+|%[\w%]+|\[\w+\])\d{0,3}$/i

export function mayHoldTokens(text: string): boolean {
  return FORWARD.test(text)
}

export function mayHoldReversed(text: string): boolean {
  return BACKWARD.test(text)
}

export async function findTokens(text: string): Promise<Token[]> {
  if (!mayHoldTokens(text)) return []
  const found = new Map<string, Token[]>()
  const add = (kind: string, value: string): void => {
    if (isPlaceholder(value)) return
    // Two rules may see the same token with more or less around it: one of them is counted.
    for (const other of found.keys()) if (other !== value && (other.includes(value) || value.includes(other))) return
    const tokens = found.get(value) ?? []
    if (tokens.length === 0 || tokens[0]!.kind === kind) tokens.push({ kind, value })
    found.set(value, tokens)
  }
  for (const [kind, pattern] of TABLE) for (const match of text.matchAll(pattern)) add(kind, match[1] ?? match[0])
  for (const key of findPrivateKeys(text)) add('a private key', key)
  for (const { kind, value } of await lint(text)) add(kind, value)
  return [...found.values()].flat()
}

/** The text with all but the ends of each token left out, for what is kept and shown. Of the formats of the
 * table alone: it waits for nothing. */
export function maskTokens(text: string): string {
  if (!mayHoldTokens(text)) return text
  let masked = text.replace(KEY_BODY, '$1 … (masked) … $2')
  for (const [, pattern] of TABLE)
    masked = masked.replace(pattern, (whole: string, first: unknown) => {
      const value = typeof first === 'string' ? first : whole
      return isPlaceholder(value) ? whole : whole.replace(value, `${value.slice(0, 4)}…${value.slice(-4)}`)
    })
  return masked
}

const KEY_BODY = /(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)[\s\S]{40,16000}?(-----END)/g
const KEY_HEADER = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const LONGEST_KEY = 16_000

/** A header alone is no key: what follows it must be one, whole or cut off. */
function findPrivateKeys(text: string): string[] {
  const keys: string[] = []
  for (const { index, 0: header } of text.matchAll(KEY_HEADER)) {
    const start = index + header.length
    const dashes = text.indexOf('-----', start)
    const body = text.slice(start, Math.min(dashes < 0 ? text.length : dashes, start + LONGEST_KEY))
    const plain = body.replace(/\\[nr]|[\s"'`+,\\]|(?:Proc-Type|DEK-Info|Version|Comment):.*/g, '')
    const base64 = /^[A-Za-z0-9+/=]*/.exec(plain)![0]
    // A key has lines of 64, an Ed25519 key one of them; words have none so long.
    const hasLine = /[A-Za-z0-9+/]{40}/.test(body.replace(/\\[nr]/g, '\n'))
    if (base64.length >= 60 && hasLine && !isPlaceholder(base64)) keys.push(base64)
  }
  return keys
}

function isPlaceholder(value: string): boolean {
  if (EXAMPLES.some((example) => example.test(value)) || PLACEHOLDER_PASSWORD.test(value)) return true
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^:@/]*:([^@]*)@/i.exec(value)?.[1]
  if (password !== undefined && (PLACEHOLDER_PASSWORD.test(password) || /[${}<>]/.test(password))) return true
  // A prefix and one character again and again: ghp_xxxxxxxx, AKIAXXXXXXXX.
  const body = value.replace(/^.*[_-](?=\w{8})/, '').replace(/^(?:AKIA|ASIA|AIza|eyJ)/, '')
  return new Set(body).size <= 1
}

const AROUND = 400

/** The published rules of secretlint, on the surroundings of markers alone: they are too slow for the
 * whole of a large file. Loaded where a marker was found, and not before. */
async function lint(text: string): Promise<Token[]> {
  const windows = windowsOf(text)
  if (windows === '') return []
  linting ??= loadLint()
  return (await linting)(windows)
}

let linting: Promise<(text: string) => Promise<Token[]>> | null = null

async function loadLint(): Promise<(text: string) => Promise<Token[]>> {
  const [{ lintSource }, { creator }] = await Promise.all([import('@secretlint/core'), import('@secretlint/secretlint-rule-preset-recommend')])
  const rules = [
    { id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } },
    // A payload never steers its own scanner.
    { id: '@secretlint/secretlint-rule-filter-comments', disabled: true },
  ]
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, rules }] }
  return async (content) => {
    const source = { filePath: '/payload.txt', content, contentType: 'text' as const, ext: '.txt' }
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } })
    // The number of an account is in every address of a resource, and no credential.
    const grave = messages.filter(({ messageId }) => messageId !== 'AWSAccountID')
    return grave.map(({ ruleId, range: [start, end] }) => ({ kind: `a credential (${ruleId.replace(/^.*-rule-/, '')})`, value: content.slice(start, end) }))
  }
}

function windowsOf(text: string): string {
  if (text.length <= 4 * AROUND) return text
  const windows: string[] = []
  let end = 0
  const pattern = new RegExp(MARKERS, 'g')
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const start = Math.max(end, match.index - AROUND)
    end = Math.min(text.length, match.index + AROUND)
    windows.push(text.slice(start, end))
    pattern.lastIndex = end
  }
  return windows.join('\n')
}
