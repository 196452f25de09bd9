// Credentials of many providers, in many disguises, against what only looks like one. They are made when
// the test runs, from the providers' published formats: none stands in a file.

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maskTokens } from '../src/guard/token.ts'
import { scan } from '../src/guard/scan.ts'
import { play, readText } from './help.ts'

const SETS: Record<string, string> = { A: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', D: '0123456789', H: '0123456789abcdef', B: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', C: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L' }

/** `ghp_{A36}`: after the prefix 36 random characters of the set A. */
function make(shape: string): string {
  return shape.replace(/\{([A-Z])(\d+)\}/g, (_, set: string, count: string) => [...randomBytes(Number(count))].map((byte) => SETS[set]![byte % SETS[set]!.length]).join(''))
}

const LINES = Array.from({ length: 12 }, () => '{A64}').join('\n')
const FORMATS: Record<string, string> = {
  'AWS id': 'AKIA{B16}',
  'AWS secret': 'aws_secret_access_key = {A40}',
  GitHub: 'ghp_{A36}',
  'GitHub, fine-grained': 'github_pat_{A22}_{A59}',
  GitLab: 'glpat-{A20}',
  Slack: 'xoxb-{D12}-{D12}-{A24}',
  'Slack webhook': 'https://hooks.slack.com/services/T{U8}/B{U8}/{A24}',
  Stripe: 'sk_live_{A24}',
  OpenAI: 'sk-proj-{A60}',
  Anthropic: 'sk-ant-api03-{A93}',
  npm: 'npm_{A36}',
  PyPI: 'pypi-AgEIcHlwaS5vcmc{A60}',
  SendGrid: 'SG.{A22}.{A43}',
  'Hugging Face': 'hf_{A34}',
  Google: 'AIza{A35}',
  Telegram: '1{D8}:AA{A33}',
  JWT: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI5ODc2NTQzMjEwIiwibmFtZSI6IlJlYWwifQ.{A43}',
  Azure: 'AccountKey={A86}==;',
  'a database': 'postgres://app:{A18}@db.prod.example.com:5432/app',
  DigitalOcean: 'dop_v1_{H64}',
  Shopify: 'shpat_{H32}',
  Vault: 'hvs.{A90}',
  Docker: 'dckr_pat_{A27}',
  Grafana: 'glsa_{A32}_{H8}',
  Databricks: 'dapi{H32}',
  Mailgun: 'key-{H32}',
  Twilio: 'SK{H32}',
  Discord: 'M{A23}.{A6}.{A27}',
  Doppler: 'dp.pt.{A43}',
  Netlify: 'nfp_{A40}',
  Notion: 'ntn_{A46}',
  Postman: 'PMAK-{H24}-{H34}',
  age: 'AGE-SECRET-KEY-1{C58}',
  Tailscale: 'tskey-auth-{A17}-{A32}',
  Groq: 'gsk_{A52}',
  'a private key': `-----BEGIN PRIVATE KEY-----\n${LINES}\n-----END PRIVATE KEY-----`,
  'a PGP key': `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${LINES}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
}

describe('a credential of', () => {
  for (const [name, shape] of Object.entries(FORMATS)) it(name, async () => expect(await scan(`const x = \`${make(shape)}\`\n`)).not.toEqual([]))
})

const codes = (token: string, show: (code: number) => string, between = ''): string => [...token].map((char) => show(char.charCodeAt(0))).join(between)
const DISGUISES: Record<string, (token: string) => string> = {
  'in base64': (token) => `atob('${Buffer.from(token).toString('base64')}')`,
  'in base64, twice': (token) => `'${Buffer.from(Buffer.from(token).toString('base64')).toString('base64')}'`,
  'in hexadecimal': (token) => `'${Buffer.from(token).toString('hex')}'`,
  'in percents': (token) => codes(token, (code) => `%${code.toString(16)}`),
  'in escapes': (token) => codes(token, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'in other escapes': (token) => codes(token, (code) => `\\x${code.toString(16)}`),
  'in entities': (token) => codes(token, (code) => `&#${code};`),
  'in codes': (token) => `String.fromCharCode(${codes(token, String, ', ')})`,
  reversed: (token) => `'${[...token].reverse().join('')}'.split('').reverse().join('')`,
  'in pieces': (token) => `'${token.slice(0, 9)}' + '${token.slice(9, 20)}' + '${token.slice(20)}'`,
  'in a list': (token) => `['${token.slice(0, 9)}', '${token.slice(9)}'].join('')`,
  'over lines': (token) => `'${token.slice(0, 15)}' +\n    '${token.slice(15)}'`,
  'in a folded text': (token) => `"${token.slice(0, 14)}\\\n  ${token.slice(14)}"`,
  'around nothing': (token) => `\`${token.slice(0, 12)}\${''}${token.slice(12)}\``,
  'with hidden characters': (token) => [...token].join('\u200b'),
}

describe('a disguise', () => {
  for (const [name, wear] of Object.entries(DISGUISES))
    it.each(['GitHub', 'AWS id', 'Slack', 'npm', 'Google'])(`${name}, of %s`, async (format) => expect(await scan(`x = ${wear(make(FORMATS[format]!))}\n`)).not.toEqual([]))
})

const lines = (shape: string, count: number) => Array.from({ length: count }, () => make(shape)).join('\n')
const HARMLESS: Record<string, string> = {
  UUIDs: lines('{H8}-{H4}-4{H3}-a{H3}-{H12}', 20),
  'commit hashes': lines('{H40}', 10),
  'an integrity hash': `"sha512-${createHash('sha512').update('x').digest('base64')}"`,
  'an image': `data:image/png;base64,iVBORw0KGgo${randomBytes(3000).toString('base64')}`,
  'a placeholder': 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx OPENAI_API_KEY=sk-...',
  'a URL with placeholders': 'postgres://user:password@localhost/db postgres://${USER}:${PASSWORD}@host/db',
  "AWS's own example": 'AKIAIOSFODNN7EXAMPLE',
  'a public key': `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${make('{A43}')} me@host`,
  'a certificate': `-----BEGIN CERTIFICATE-----\n${make(LINES)}\n-----END CERTIFICATE-----`,
  patterns: '/sk-[A-Za-z0-9]{48}/, /xox[baprs]-[0-9]{12}/, /ghp_[A-Za-z0-9]{36}/',
  'names of variables': 'export AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY; token: ${{ secrets.GITHUB_TOKEN }}',
  'class names': 'sk-fading-circle sk-folding-cube btn_a1b2c__d3e4f',
  'the number of an account': "aws_account_id = '111122223333' arn:aws:iam::111122223333:role/x",
  'a header alone': "const header = '-----BEGIN RSA PRIVATE KEY-----'",
  'a publishable key': `pk_live_${make('{A24}')}`,
  'a list of numbers': Array.from({ length: 200 }, (_, i) => (i * 37) % 256).join(', '),
  'colours and sizes': Array.from({ length: 100 }, (_, i) => `#${make('{H6}')} ${i}px`).join(' '),
}

describe('what only looks like one:', () => {
  for (const [name, text] of Object.entries(HARMLESS)) it(name, async () => expect(await scan(`${text}\n`)).toEqual([]))
})

describe('the log', () => {
  it('holds of each credential its ends alone, and stays JSON', () => {
    for (const [name, shape] of Object.entries(FORMATS)) {
      const token = make(shape)
      const line = JSON.stringify({ text: `a "b" ${token}\n`, more: [token] })
      const masked = maskTokens(line)
      expect(masked, name).not.toBe(line)
      expect(masked.includes(token.slice(8, -8)), name).toBe(false)
      expect(JSON.parse(masked), name).toHaveProperty('more')
    }
    for (const [name, text] of Object.entries(HARMLESS)) expect(maskTokens(JSON.stringify(text)), name).toBe(JSON.stringify(text))
  })

  it('of a session in which a model wrote and read one is so, and so is what a client is told', async () => {
    const token = make('ghp_{A36}')
    const played = await play({ 'k.txt': token }, [{ calls: [['fs-write', { path: 'a.txt', content: `k = '${token}'` }], ['fs-read', { path: 'k.txt' }]] }, { text: `It is ${token}.` }], { answers: [true] })
    await played.session.runTask(`use ${token}`)
    expect(readText(played.root, 'a.txt')).toBe(`k = '${token}'`)
    played.session.close('done')
    const log = readText(join(played.state, 'sessions', `${played.session.id}.jsonl`))
    expect(log).not.toContain(token.slice(8, -8))
    expect(log).toContain(`${token.slice(0, 4)}…${token.slice(-4)}`)
    expect(JSON.stringify(played.events)).not.toContain(token)
  })
})
