// Which names each library has that is there from the start: R7RS appendix A, the SRFIs, and the
// engine's own (nodwyn …). What the names mean is found among the engine's own procedures and syntax.

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

const CXR = ['a', 'd'].flatMap((one) => ['a', 'd'].flatMap((two) => ['a', 'd'].map((three) => one + two + three)))

const BASE = words(`
  * + - ... / < <= = => > >= _ abs and append apply assoc assq assv begin binary-port? boolean=? boolean?
  bytevector bytevector-append bytevector-copy bytevector-copy! bytevector-length bytevector-u8-ref
  bytevector-u8-set! bytevector? caar cadr call-with-current-continuation call-with-port call-with-values
  call/cc car case cdar cddr cdr ceiling char->integer char-ready? char<=? char<? char=? char>=? char>? char?
  close-input-port close-output-port close-port complex? cond cond-expand cons current-error-port
  current-input-port current-output-port define define-record-type define-syntax define-values denominator do
  dynamic-wind else eof-object eof-object? eq? equal? eqv? error error-object-irritants error-object-message
  error-object? even? exact exact-integer-sqrt exact-integer? exact? expt features file-error? floor
  floor-quotient floor-remainder floor/ flush-output-port for-each gcd get-output-bytevector get-output-string
  guard if include include-ci inexact inexact? input-port-open? input-port? integer->char integer? lambda lcm
  length let let* let*-values let-syntax let-values letrec letrec* letrec-syntax list list->string list->vector
  list-copy list-ref list-set! list-tail list? make-bytevector make-list make-parameter make-string make-vector
  map max member memq memv min modulo negative? newline not null? number->string number? numerator odd?
  open-input-bytevector open-input-string open-output-bytevector open-output-string or output-port-open?
  output-port? pair? parameterize peek-char peek-u8 positive? procedure? quasiquote quote quotient raise
  raise-continuable rational? rationalize read-bytevector read-bytevector! read-char read-error? read-line
  read-string read-u8 real? remainder reverse round set! set-car! set-cdr! square string string->list
  string->number string->symbol string->utf8 string->vector string-append string-copy string-copy! string-fill!
  string-for-each string-length string-map string-ref string-set! string<=? string<? string=? string>=? string>?
  string? substring symbol->string symbol=? symbol? syntax-error syntax-rules textual-port? truncate
  truncate-quotient truncate-remainder truncate/ u8-ready? unless unquote unquote-splicing utf8->string values
  vector vector->list vector->string vector-append vector-copy vector-copy! vector-fill! vector-for-each
  vector-length vector-map vector-ref vector-set! vector? when with-exception-handler write-bytevector
  write-char write-string write-u8 zero?`)

const R5RS = words(`
  * + - / < <= = > >= abs acos and angle append apply asin assoc assq assv atan begin boolean? caaaar caaadr
  caaar caadar caaddr caadr caar cadaar cadadr cadar caddar cadddr caddr cadr call-with-current-continuation
  call-with-input-file call-with-output-file call-with-values car case cdaaar cdaadr cdaar cdadar cdaddr cdadr
  cdar cddaar cddadr cddar cdddar cddddr cdddr cddr cdr ceiling char->integer char-alphabetic? char-ci<=?
  char-ci<? char-ci=? char-ci>=? char-ci>? char-downcase char-lower-case? char-numeric? char-ready? char-upcase
  char-upper-case? char-whitespace? char<=? char<? char=? char>=? char>? char? close-input-port
  close-output-port complex? cond cons cos current-input-port current-output-port define define-syntax delay
  denominator display do dynamic-wind else => ... _ eof-object? eq? equal? eqv? eval even? exact->inexact exact? exp expt
  floor for-each force gcd if imag-part inexact->exact inexact? input-port? integer->char integer?
  interaction-environment lambda lcm length let let* let-syntax letrec letrec-syntax list list->string
  list->vector list-ref list-tail list? load log magnitude make-polar make-rectangular make-string make-vector
  map max member memq memv min modulo negative? newline not null-environment null? number->string number?
  numerator odd? open-input-file open-output-file or output-port? pair? peek-char positive? procedure?
  quasiquote quote unquote unquote-splicing quotient rational? rationalize read read-char real-part real? remainder reverse round
  scheme-report-environment set! set-car! set-cdr! sin sqrt string string->list string->number string->symbol
  string-append string-ci<=? string-ci<? string-ci=? string-ci>=? string-ci>? string-copy string-fill!
  string-length string-ref string-set! string<=? string<? string=? string>=? string>? string? substring
  symbol->string symbol? syntax-rules tan truncate values vector vector->list vector-fill! vector-length vector-ref
  vector-set! vector? with-input-from-file with-output-to-file write write-char zero?`)

const SRFI_1 = words(`
  xcons cons* make-list list-tabulate list-copy circular-list iota proper-list? circular-list? dotted-list?
  not-pair? null-list? list= first second third fourth fifth sixth seventh eighth ninth tenth car+cdr take drop
  take-right drop-right take! drop-right! split-at split-at! last last-pair length+ concatenate reverse! append!
  concatenate! append-reverse append-reverse! zip unzip1 unzip2 unzip3 unzip4 unzip5 count fold fold-right
  pair-fold pair-fold-right reduce reduce-right unfold unfold-right append-map append-map! map! map-in-order
  pair-for-each filter-map filter partition remove filter! partition! remove! find find-tail any every
  list-index take-while drop-while take-while! span break span! break! delete delete-duplicates delete!
  delete-duplicates! alist-cons alist-copy alist-delete alist-delete! lset<= lset= lset-adjoin lset-union
  lset-union! lset-intersection lset-intersection! lset-difference lset-difference! lset-xor lset-xor!
  lset-diff+intersection lset-diff+intersection! cons list car cdr caar cadr cdar cddr ${CXR.map((path) => `c${path}r`).join(' ')}
  pair? null? length append reverse list-ref memq memv member assq assv assoc map for-each set-car! set-cdr!`)

/** The names of each library, by its printed name. A name that the engine does not have is left out. */
export const STANDARD_LIBRARIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '(scheme base)': BASE,
    '(scheme case-lambda)': ['case-lambda'],
    '(scheme char)': words(`
      char-alphabetic? char-ci<=? char-ci<? char-ci=? char-ci>=? char-ci>? char-downcase char-foldcase
      char-lower-case? char-numeric? char-upcase char-upper-case? char-whitespace? digit-value string-ci<=?
      string-ci<? string-ci=? string-ci>=? string-ci>? string-downcase string-foldcase string-upcase`),
    '(scheme complex)': words('angle imag-part magnitude make-polar make-rectangular real-part'),
    '(scheme cxr)': [...CXR, ...CXR.flatMap((path) => [`a${path}`, `d${path}`])].map((path) => `c${path}r`),
    '(scheme eval)': words('environment eval'),
    '(scheme file)': words(`
      call-with-input-file call-with-output-file delete-file file-exists? open-binary-input-file
      open-binary-output-file open-input-file open-output-file with-input-from-file with-output-to-file`),
    '(scheme inexact)': words('acos asin atan cos exp finite? infinite? log nan? sin sqrt tan'),
    '(scheme lazy)': words('delay delay-force force make-promise promise?'),
    '(scheme load)': ['load'],
    '(scheme process-context)': words('command-line emergency-exit exit get-environment-variable get-environment-variables'),
    '(scheme read)': ['read'],
    '(scheme repl)': ['interaction-environment'],
    '(scheme time)': words('current-jiffy current-second jiffies-per-second'),
    '(scheme write)': words('display write write-shared write-simple'),
    '(scheme r5rs)': R5RS,
    '(srfi 1)': SRFI_1,
    '(srfi 2)': ['and-let*'],
    '(srfi 8)': ['receive'],
    '(srfi 26)': words('cut cute <> <...>'),
    '(srfi 95)': words('sort sort! merge merge! sorted?'),
    '(srfi 111)': words('box box? unbox set-box!'),
  }),
)

/** SRFIs whose names all begin alike are not listed: what is there counts. */
export const STANDARD_PREFIXES: ReadonlyMap<string, RegExp> = new Map([
  ['(srfi 13)', /^(string|substring)/],
  ['(srfi 130)', /^(string|substring)/],
  ['(srfi 152)', /^(string|substring)/],
  ['(srfi 69)', /^(make-)?(equal-|string-)?hash|^alist->hash-table$|^(string|string-ci)-hash$/],
  ['(srfi 125)', /^(make-)?hash|^alist->hash-table$/],
  ['(srfi 132)', /^(list|vector)-(sort|merge|sorted|stable-sort)|^(list|vector)-delete-neighbor-dups/],
  ['(srfi 133)', /^(make-)?vector|^reverse-vector|^list->vector|^subvector/],
  ['(nodwyn regexp)', /^regexp/],
  ['(nodwyn json)', /^json/],
  ['(nodwyn fiber)', /^(spawn|join|yield|parallel|parallel-map|fiber.*)$/],
  ['(nodwyn format)', /^(format|assert|cut|receive|and-let\*)$/],
])
