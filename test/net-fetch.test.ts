// net-fetch against a server of our own that behaves well and badly; which addresses are public; and what
// becomes of HTML.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPublicAddress } from '../src/tool/address.ts'
import { makeNetFetch, netFetch } from '../src/tool/fetch.ts'
import { pageText } from '../src/tool/page-text.ts'
import { ToolError, type Prim, type ToolContext } from '../src/tool/prim.ts'

const open = makeNetFetch({ isAllowed: () => true, timeoutMs: 1000 })

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** The address of a server that answers by path. */
async function serve(handlers: Record<string, Handler>): Promise<string> {
  const server = createServer((request, response) => {
    const handler = handlers[request.url!]
    if (handler) handler(request, response)
    else response.writeHead(404).end('not here')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function html(body: string): Handler {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body)
}

/** The text, or the words of the failure, the server's address as HOST. */
async function use(url: string, { prim = open, signal = new AbortController().signal }: { prim?: Prim; signal?: AbortSignal } = {}): Promise<string> {
  const hide = (text: string) => text.replace(/127\.0\.0\.1:\d+/g, 'HOST')
  try {
    const { text } = await prim.run!(new Map([['url', url]]), { signal } as unknown as ToolContext)
    return hide(text)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return hide(`${error.message}${error.help ? ` | ${error.help}` : ''}`)
  }
}

describe('a page', () => {
  it('comes as text with its title and address, labelled untrusted', async () => {
    const host = await serve({ '/a': html('<title>A &amp; B</title><h1>Hi</h1><p>one<br>two <a href="/b">three</a></p>') })
    const { text, value, labels } = await open.run!(new Map([['url', `${host}/a#part`]]), { signal: new AbortController().signal } as unknown as ToolContext)
    expect(text).toBe(`${host}/a\ntitle: A & B\n\n# Hi\n\none\ntwo [three](${host}/b)`)
    expect(value).toBe(`# Hi\n\none\ntwo [three](${host}/b)`)
    expect(labels).toEqual(['untrusted:127.0.0.1'])
  })

  it('of JSON or plain text comes as it is, in its own charset, unpacked', async () => {
    const host = await serve({
      '/json': (_, response) => response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"a": 1}')),
      '/latin': (_, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x63, 0x61, 0x66, 0xe9])),
      '/meta': html('<meta charset="windows-1252"><p>\x80</p>'),
    })
    expect(await use(`${host}/json`)).toBe('http://HOST/json\n\n{"a": 1}')
    expect(await use(`${host}/latin`)).toBe('http://HOST/latin\n\ncafé')
    expect(await use(`${host}/meta`)).toMatch(/^http:\/\/HOST\/meta\n\n/)
  })

  it('that is long is cut for the model, and says so', async () => {
    const host = await serve({ '/a': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('line of text\n'.repeat(10_000)) })
    const text = await use(`${host}/a`)
    expect(text.length).toBeLessThan(60_200)
    expect(text).toMatch(/\n… \d+ more characters; Scheme gets all of it$/)
  })

  it('is asked for without anything of the person', async () => {
    let headers = {}
    const host = await serve({
      '/a': (request, response) => {
        headers = request.headers
        html('x')(request, response)
      },
    })
    await use(`${host}/a`)
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  })
})

describe('a redirect', () => {
  const to = (location: string): Handler => (_request, response) => response.writeHead(302, { location }).end()
  it('within the host is followed, but not for ever', async () => {
    const host = await serve({ '/a': to('/b'), '/b': html('here'), '/loop': to('/loop') })
    expect(await use(`${host}/a`)).toBe('http://HOST/b\n\nhere')
    expect(await use(`${host}/loop`)).toBe('http://HOST/loop redirects more than 5 times')
  })
  it('to anywhere else is left to another call', async () => {
    const host = await serve({ '/a': to('https://evil.test/c?d=1'), '/b': to('file:///etc/passwd'), '/c': to('http://169.254.169.254/x'), '/d': to('http://localhost:1/') })
    expect(await use(`${host}/a`)).toBe('http://HOST/a redirects to https://evil.test/c?d=1, which is elsewhere | if that is meant, fetch it by a call of its own')
    expect(await use(`${host}/b`)).toBe('http://HOST/b redirects to what is no address of a page')
    expect(await use(`${host}/c`)).toBe('http://HOST/c redirects to http://169.254.169.254/x, which is elsewhere | if that is meant, fetch it by a call of its own')
    expect(await use(`${host}/d`)).toMatch(/which is elsewhere/)
  })
})

describe('what goes wrong', () => {
  for (const [url, want] of [
    ['not a url', 'url must be an address such as https://example.org/page, got "not a url"'],
    ['file:///etc/passwd', 'url must begin with https:// or http://, got file:'],
    ['https://user:secret@x.test/', 'url must hold no user name or password'],
    ['http://127.0.0.1:1/', 'http://127.0.0.1:1/ could not be fetched: the host refuses the connection'],
  ] as const)
    it(`with ${url} is said in words`, async () => expect((await use(url)).replace('HOST', '127.0.0.1:1')).toBe(want))

  it('on the server is said in words', async () => {
    const host = await serve({
      '/pdf': (_, response) => response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '3' }).end('abc'),
      '/binary': (_, response) => response.writeHead(200).end(Buffer.from([0, 1, 2])),
      '/garbage': (_, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('no gzip'),
      '/half': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
        response.write('half')
        setTimeout(() => response.destroy(), 20)
      },
    })
    expect(await use(`${host}/none`)).toBe('http://HOST/none answered 404 Not Found')
    expect(await use(`${host}/pdf`)).toBe('http://HOST/pdf is application/pdf, 3 bytes, no text')
    expect(await use(`${host}/binary`)).toBe('http://HOST/binary is no text')
    expect(await use(`${host}/garbage`)).toBe('http://HOST/garbage could not be fetched: what it sends cannot be unpacked')
    expect(await use(`${host}/half`)).toBe('http://HOST/half could not be fetched: the host broke the connection off')
  })

  it('with a server that speaks no HTTP is said in words', async () => {
    const server = createRawServer((socket) => socket.end('SSH-2.0-x\r\n'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    expect(await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBe('http://HOST/ could not be fetched: what it sends is no HTTP')
  })

  it('a bomb, an endless body and one that drips end', async () => {
    const zeros = gzipSync(Buffer.alloc(100_000_000, 'a'))
    const host = await serve({
      '/bomb': (_, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(zeros),
      '/endless': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const more = (): void => void (response.writable && !response.destroyed && response.write('x'.repeat(100_000), more))
        more()
      },
      '/drip': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      },
    })
    for (const path of ['/bomb', '/endless']) expect(await use(host + path)).toMatch(/^http:\/\/HOST\/\w+\n\(the first 5 MB of it\)\n\n[ax]+/)
    expect(await use(`${host}/drip`)).toBe('http://HOST/drip could not be fetched: it took longer than 1 seconds')
  })

  it('a stop ends it at once and closes the connection', async () => {
    let isClosed = false
    const host = await serve({ '/a': (request) => void request.socket.on('close', () => (isClosed = true)) })
    const controller = new AbortController()
    const call = use(`${host}/a`, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stop')), 50)
    await expect(call).rejects.toThrow('stop')
    await new Promise((done) => setTimeout(done, 50))
    expect(isClosed).toBe(true)
  })
})

describe('an address that is not public', () => {
  it('is refused before a connection is made, however it is written', async () => {
    for (const host of ['127.0.0.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '0xa9fea9fe', '10.1.2.3', '[fd00::1]', '0.0.0.0', '[fe80::1]', '[64:ff9b::a00:1]'])
      expect(await use(`http://${host}:1/`, { prim: netFetch }), host).toMatch(/ is no public address( \(it is [\d.:]+\))?$/)
  })

  it('is so in every spelling, and public ones are', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const mapped = (address: string) => [address, `::ffff:${address}`, `::${address}`, `64:ff9b::${address}`]
    fc.assert(fc.property(byte, byte, byte, (a, b, c) => void expect([...mapped(`10.${a}.${b}.${c}`), ...mapped(`127.${a}.${b}.${c}`), ...mapped(`192.168.${b}.${c}`), ...mapped(`169.254.${b}.${c}`), `fd${a.toString(16).padStart(2, '0')}::${b}`, `fe80::${c}%eth0`, '', 'x'].filter(isPublicAddress)).toEqual([])))
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1', '2a00:1450:4001::1']) expect(isPublicAddress(address), address).toBe(true)
    // A public address inside IPv6 is not reached by that way either.
    expect(['::ffff:8.8.8.8', '2002:808:808::1'].filter(isPublicAddress)).toEqual([])
  })
})

describe('HTML', () => {
  const text = async (source: string) => (await pageText(source, 'https://x.test/p/')).text
  it('keeps headings, lists, tables and code, and leaves out what nobody sees', async () => {
    expect(
      await text(`<style>x{}</style><script>bad()</script><nav>menu</nav><main><h2>T <em>x</em></h2><p hidden>h</p><p style="display:none">h</p><ul><li>one</li><li>two<ol><li>a</li></ol></li></ul>
<pre><code>f() {
  1
}</code></pre><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><p><a href="javascript:x()">j</a> <a href="#x">k</a> <a href="../q">l</a></p></main><footer>f</footer>`),
    ).toBe('## T x\n\n- one\n- two\n  1. a\n\n```\nf() {\n  1\n}\n```\n\nA   B\n1   2\n\nj k [l](https://x.test/q)')
  })

  it('that is broken, or nested beyond reason, is text all the same', async () => {
    for (const source of ['<div>'.repeat(100_000) + 'x', '<b>'.repeat(50_000) + 'x', '<table><tr><td>'.repeat(20_000) + 'x', '<ul><li>'.repeat(20_000) + 'x', `<a ${'y="1" '.repeat(100_000)}>x</a>`, '<'.repeat(500_000) + 'x', '&amp'.repeat(100_000) + 'x', '<!-- '.repeat(10_000)])
      expect(typeof (await text(source))).toBe('string')
  })

  it('of any kind gives a string', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('<p>', '</p>', '<div', '>', '<a href="', '"', 'x', '<table>', '<tr>', '<td>', '</table>', '<pre>', '&lt;', '<!--', '-->', '<script>', '</script>', '<h1>', '\n'), { maxLength: 60 }), async (parts) => {
        expect(typeof (await text(parts.join('')))).toBe('string')
      }),
    )
  })
})
