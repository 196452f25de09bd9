// outline: one small source a language with all that is shown of it, and sources that are broken, huge or
// nested beyond reason.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outline } from '../src/tool/outline.ts'
import { toPlain } from '../src/tool/json.ts'
import { openWorkspace } from '../src/tool/open.ts'
import { ToolError, type ToolContext } from '../src/tool/prim.ts'
import { makeFolder } from './help.ts'

async function use(name: string, text: string): Promise<{ text: string; value: unknown }> {
  const root = makeFolder()
  writeFileSync(join(root, name), text)
  const workspace = await openWorkspace(root, { state: makeFolder() })
  const result = await outline.run!(new Map([['path', name]]), { workspace } as unknown as ToolContext)
  return { text: result.text, value: toPlain(result.value!) }
}

async function refusal(name: string, text: string): Promise<string> {
  return use(name, text).then(
    ({ text }) => text,
    (error: unknown) => {
      if (error instanceof ToolError) return `${error.message} | ${error.help}`
      throw error
    },
  )
}

const SOURCES: [name: string, source: string, want: string[]][] = [
  [
    'a.ts',
    `export abstract class A<T> extends B {
  private x = 1
  run = (a: number) => a
  constructor(a: string) { super() }
  async f(
    a: number,
  ): Promise<void> {
    function inner() {}
  }
  abstract g(): void
}
export interface I { a: string; m(x: number): void }
export type T = string
export const go = async (a: number): Promise<void> => {
}
enum E { A }
namespace N { export function q() {} }
export default function () {}
declare function d(a: string): void
const o = { m() {}, p: () => 1 }
`,
    ['     1-11  export abstract class A<T> extends B', '        3    run = (a: number)', '        4    constructor(a: string)', '      5-9    async f( a: number, ): Promise<void>', '       10    abstract g(): void', '       12  export interface I', '       12    m(x: number): void', '       13  export type T = string', '    14-15  export const go = async (a: number): Promise<void>', '       16  enum E', '       17  namespace N', '       17    export function q()', '       18  export default function ()', '       19  declare function d(a: string): void'],
  ],
  ['a.tsx', 'export function App({ a }: P) {\n  return <div>{a}</div>\n}\n', ['      1-3  export function App({ a }: P)']],
  ['a.js', 'class A {\n  static #m() {}\n  get b() { return 1 }\n}\nfunction* g() {}\nmodule.exports = function (x) {}\n', ['      1-4  class A', '        2    static #m()', '        3    get b()', '        5  function* g()', '        6  module.exports = function (x)']],
  ['a.py', 'class A(B):\n    @property\n    def f(self, a: int) -> str:\n        def inner(): pass\n        return 1\nasync def g(x):\n    pass\n', ['      1-5  class A(B)', '      2-5    def f(self, a: int) -> str', '      6-7  async def g(x)']],
  ['a.go', 'package p\ntype T struct {\n\ta int\n}\ntype I interface { F(a int) }\nfunc (t *T) M(a int) error { return nil }\nfunc F() {}\n', ['      2-4  type T', '        5  type I', '        6  func (t *T) M(a int) error', '        7  func F()']],
  ['a.rs', 'pub struct S { a: i32 }\nimpl T for S {\n    fn f(&self) -> i32 { 1 }\n}\ntrait T { fn f(&self) -> i32; }\nmod m { pub fn g() {} }\npub fn top<T: X>(a: T) where T: Y {}\n', ['        1  pub struct S', '      2-4  impl T for S', '        3    fn f(&self) -> i32', '        5  trait T', '        5    fn f(&self) -> i32', '        6  mod m', '        6    pub fn g()', '        7  pub fn top<T: X>(a: T) where T: Y']],
  ['A.java', 'package p;\npublic class A extends B {\n  public A() {}\n  public void f(int a) throws X { }\n  enum E { P }\n}\nrecord R(int a) {}\n', ['      2-6  public class A extends B', '        3    public A()', '        4    public void f(int a) throws X', '        5    enum E', '        7  record R(int a)']],
  ['a.cs', 'namespace N {\n  public class A : B {\n    public A() {}\n    public int P { get; set; }\n    void M(int a) { }\n  }\n}\n', ['      1-7  namespace N', '      2-6    public class A : B', '        3      public A()', '        4      public int P', '        5      void M(int a)']],
  ['a.cpp', 'namespace n {\ntemplate<class T>\nclass A : public B {\npublic:\n  int f(int a) const { return 1; }\n  void g();\n  int *h(int a);\n  int x;\n};\n}\nint main() { return 0; }\nvoid decl(int);\ntypedef struct { int a; } Q;\nint y;\n', ['     1-10  namespace n', '      2-9    class A : public B', '        5      int f(int a) const', '        6      void g()', '        7      int *h(int a)', '       11  int main()', '       12  void decl(int)', '       13  typedef struct {…} Q']],
  ['a.rb', 'module M\n  class A < B\n    def f(a, b)\n      1\n    end\n    def self.g; end\n  end\nend\ndef top\nend\n', ['      1-8  module M', '      2-7    class A < B', '      3-5      def f(a, b)', '        6      def self.g; end', '     9-10  def top']],
  ['a.php', '<?php\nclass A extends B {\n  public function f($a): int { return 1; }\n}\nfunction top($x) { }\n', ['      2-4  class A extends B', '        3    public function f($a): int', '        5  function top($x)']],
  ['a.sh', 'f() {\n  echo\n}\nfunction g {\n  echo\n}\n', ['      1-3  f()', '      4-6  function g']],
  ['a.css', '@media (max-width: 1px) {\n  .a, .b > c { color: red }\n}\n#x { top: 1px }\n', ['      1-3  @media (max-width: 1px)', '        2    .a, .b > c', '        4  #x']],
  ['a.md', '---\na: b\n---\n# One\n\nTwo\n---\n\n```\n# no\n```\n### Three ###\n# Four #5\n', ['     4-12  # One', '     6-12    ## Two', '       12      ### Three', '       13  # Four #5']],
  ['a.scm', '(define x 1)\n; (define no)\n(define (f a\n           b)\n  (define inner 1)\n  "(define no" #\\( (g))\n(define-library (a b)\n  (begin\n    (define (c) 1)))\n#| (define no) |#\n', ['        1  define x', '      3-6  define (f a b)', '      7-9  define-library (a b)', '        9    define (c)']],
  ['b.js', 'export default () => 1\nA.b = async (y) => {\n};\n(function () {\n  function inner(a) {}\n})()\nexport default class {}\n', ['        1  export default ()', '      2-3  A.b = async (y)', '        5  function inner(a)', '        7  export default class']],
  ['a.c', 'typedef struct node {\n  int a;\n} node_t;\nstatic int *f(int a)\n{\n  return 0;\n}\n#ifdef X\nvoid h(void) {}\n#endif\nstruct s { int x; };\n', ['      1-3  typedef struct node {…} node_t', '      4-7  static int *f(int a)', '        9  void h(void)', '       11  struct s']],
  ['b.cpp', 'class A {\n  A();\n  ~A();\n  A& operator=(const A&);\n};\nusing X = int;\nint A::m() { return 1; }\n', ['      1-5  class A', '        2    A()', '        3    ~A()', '        4    A& operator=(const A&)', '        6  using X = int', '        7  int A::m()']],
  ['b.cs', 'record struct P(int x);\nclass B {\n  ~B() {}\n  public static implicit operator int(B b) { return 1; }\n}\n', ['        1  record struct P(int x)', '      2-5  class B', '        3    ~B()', '        4    public static implicit operator int(B b)']],
  ['b.md', 'Two\n===\n===\n\n***\n---\n<!--\n# no\n-->\n``` a`b\n# yes\n~~~~ x\n# no\n~~~\n~~~~\n#no\n- item\n---\n    # no\n', ['     1-10  # Two', '    11-19  # yes']],
  ['b.scm', "#;(define no\n1)\n'(define no 2)\n#| #| |# (define no 3) |#\n(cond-expand (chibi (define yes 1)) (else (define (also) 2)))\n(define ((curried a) b) 1)\n(let () (define no 4))\n(define |odd name| #\\()\n(define-record-type point (make-point x) point?)\n(define-syntax s (syntax-rules ()))\n", ['        5  define yes', '        5  define (also)', '        6  define ((curried a) b)', '        8  define |odd name|', '        9  define-record-type point', '       10  define-syntax s']],
  ['a.lisp', '(defun f (a) a)\n', ['        1  defun f']],
  ['script', '#!/usr/bin/env python3\ndef f(): pass\n', ['        2  def f()']],
]

describe('the outline of', () => {
  it.each(SOURCES)('%s', async (name, source, want) => {
    expect((await use(name, source)).text.split('\n')).toEqual(want)
  })

  it('any of them is data for Scheme', async () => {
    expect((await use('a.py', 'class A:\n    def f(self):\n        pass\n')).value).toEqual([
      { kind: 'class', name: 'A', signature: 'class A', first: 1, last: 3, depth: 0 },
      { kind: 'function', name: 'f', signature: 'def f(self)', first: 2, last: 3, depth: 1 },
    ])
  })

  it('a file with mistakes shows what can be parsed, and where it cannot', async () => {
    expect((await use('a.ts', 'function a() {}\nclass B {\n  m( {\n}\nfunction c() {}\n')).text).toBe('        1  function a()\n        5  function c()\n(from line 2 on parts of it cannot be parsed)')
  })

  it('a file with very much in it is cut, and says where to go on', async () => {
    const { text } = await use('a.py', Array.from({ length: 500 }, (_, i) => `def f${i}(): pass\n`).join(''))
    expect(text.split('\n').slice(-2)).toEqual(['      400  def f399()', '… 100 more, from line 401 on; go on with fs-read and offset 401'])
  })

  for (const [what, name, source, want] of [
    ['brackets nested 100,000 deep', 'a.ts', `${'('.repeat(100_000)}${')'.repeat(100_000)}\nfunction f() {}\n`, /cannot be parsed|function f/],
    ['objects nested 50,000 deep', 'a.ts', `const a = ${'{a:'.repeat(50_000)}1${'}'.repeat(50_000)}\nfunction f() {}\n`, /^ {8}2 {2}function f\(\)$/],
    ['classes nested 20,000 deep', 'a.cpp', 'class A {'.repeat(20_000) + '};'.repeat(20_000), /class A/],
    ['elements nested 100,000 deep', 'a.tsx', `const a = ${'<div>'.repeat(100_000)}${'</div>'.repeat(100_000)}\nfunction f() {}\n`, /^ {8}2 {2}function f\(\)$/],
    ['brackets nested 100,000 deep', 'a.py', `a = ${'['.repeat(100_000)}${']'.repeat(100_000)}\ndef f(): pass\n`, /^ {8}2 {2}def f\(\)$/],
    ['30,000 definitions in one line', 'a.ts', 'type A=1;'.repeat(30_000), /… 29600 more, from line 1 on; /],
    ['definitions nested 150,000 deep', 'a.scm', '(define x '.repeat(150_000), /^ {8}1 {2}define x$/],
    ['a string of 1,900,000 characters', 'a.scm', `(define x "${'\\n'.repeat(950_000)}")`, /^ {8}1 {2}define x$/],
    ['a million open parentheses', 'a.scm', '('.repeat(1_000_000), /^a\.scm defines nothing that an outline shows$/],
    ['comments that never end', 'a.scm', '#|x'.repeat(300_000), /^a\.scm defines nothing/],
    ['a heading with a million spaces', 'a.md', `# a${' '.repeat(500_000)}#${' '.repeat(500_000)}b\n`, /^ {8}1 {2}# a # b$/],
    ['100,000 headings', 'a.md', '# a\n'.repeat(100_000), /… 99600 more/],
    ['noise', 'a.ts', Array.from({ length: 50_000 }, (_, i) => String.fromCharCode(33 + ((i * 7919) % 90))).join(''), /cannot be parsed/],
  ] as const)
    it(`${what} ends`, async () => {
      expect((await use(name, source)).text).toMatch(want)
    })

  it('long signatures is cut by its characters', async () => {
    const { text, value } = await use('a.py', Array.from({ length: 300 }, (_, i) => `def f${i}(${'a'.repeat(200)}): pass\n`).join(''))
    expect(text.split('\n').slice(-2)).toEqual([`      173  def f172(${'a'.repeat(151)}…`, '… 127 more, from line 174 on; go on with fs-read and offset 174'])
    expect(text.length).toBeLessThan(30_100)
    expect(value).toHaveLength(300)
  })

  it.each([
    ['a.md', '# a\u001b[2Jb\n', '        1  # a\\x1b;[2Jb'],
    ['b.md', '# a\u202eb\u200bc \u{e0041}d\n', '        1  # a\\x202e;b\\x200b;c \\xe0041;d'],
    ['a.ts', 'function a\u200cb() {}\nclass C { "x\u202ey"() {} }\n', '        1  function a\\x200c;b()\n        2  class C\n        2    "x\\x202e;y"()'],
    ['a.scm', '(define a\u202eb 1)\n', '        1  define a\\x202e;b'],
  ])('%s with names that hide something shows it', async (name, source, want) => {
    expect((await use(name, source)).text).toBe(want)
  })

  it('a mistake in the body of a function is told too', async () => {
    expect((await use('a.ts', 'function f() {\n  let x = (;\n}\nfunction g() {}\n')).text).toBe('      1-3  function f()\n        4  function g()\n(from line 2 on parts of it cannot be parsed)')
  })

  it('definitions has names, as the file has them', async () => {
    const names = async (name: string, source: string) => ((await use(name, source)).value as { kind: string; name: string }[]).map((entry) => `${entry.kind} ${entry.name}`)
    expect(await names('a.ts', 'const f = () => 1\nA.b = function () {}\nclass C<T> { g = () => 1; #h() {} }\n')).toEqual(['function f', 'function A.b', 'class C', 'method g', 'method #h'])
    expect(await names('a.cpp', 'int *f(int a) {}\nint &A::g() {}\ntypedef struct s { int a; } t;\n')).toEqual(['function f', 'function A::g', 'type t'])
    expect(await names('a.rs', 'impl T for S { fn f() {} }\n')).toEqual(['impl T', 'function f'])
    expect(await names('a.scm', '(define (f a) 1)\n(define-library (a b))\n(define ((g a) b) 1)\n')).toEqual(['define f', 'define-library (a b)', 'define g'])
    expect(await names('a.md', '# a\u202eb\n')).toEqual(['heading a\u202eb'])
  })

  it('a folder is refused', async () => {
    const root = makeFolder({ 'src/a.ts': '' })
    const workspace = await openWorkspace(root, { state: makeFolder() })
    const step = outline.run!(new Map([['path', 'src']]), { workspace } as unknown as ToolContext)
    await expect(step).rejects.toMatchObject({ message: 'src is a directory', help: 'to see what is in it use fs-list' })
  })

  for (const [name, text, want] of [
    ['a.xyz', 'a', 'there is no outline of .xyz files | it knows TypeScript, JavaScript, Python, Go, Rust, Java, C#, C, C++, Ruby, PHP, shell, CSS, Markdown, Scheme; use fs-read or index-grep'],
    ['a', 'a', 'there is no outline of files without an extension | it knows TypeScript, JavaScript, Python, Go, Rust, Java, C#, C, C++, Ruby, PHP, shell, CSS, Markdown, Scheme; use fs-read or index-grep'],
    ['a.ts', '', 'a.ts defines nothing that an outline shows'],
    ['b.ts', 'x'.repeat(5_000_000), 'b.ts is too large for an outline: 5000000 bytes, the most is 2000000 | use fs-read with offset and limit, or index-grep'],
  ] as const)
    it(`${name} with ${text.length} characters says: ${want.slice(0, 40)}`, async () => expect(await refusal(name, text)).toBe(want))
})
