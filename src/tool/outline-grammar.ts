// The programming languages of outline: a file's extension to its grammar, and the kinds of nodes of each
// grammar that stand in an outline.

/** `inside`: what it holds is outlined too. */
export interface NodeRule {
  kind: string
  inside?: boolean
  /** It counts only where it has a field or child of one of these types. */
  having?: string[]
  /** And only where its parent is of this type, or could not be parsed. */
  within?: string
}

export interface Grammar {
  /** Of the file of the grammar: tree-sitter-NAME.wasm. */
  name: string
  nodes: { [type: string]: NodeRule }
}

const c = (kind: string): NodeRule => ({ kind, inside: true })
const f = (kind: string): NodeRule => ({ kind })
const FUNCTIONS = ['arrow_function', 'function_expression', 'generator_function']

const JAVASCRIPT: Grammar['nodes'] = {
  class_declaration: c('class'),
  class: c('class'),
  function_declaration: f('function'),
  generator_function_declaration: f('function'),
  // Of functions without a name, those alone that a file exports; what stands in the others is outlined.
  function_expression: { kind: 'function', within: 'export_statement' },
  generator_function: { kind: 'function', within: 'export_statement' },
  arrow_function: { kind: 'function', within: 'export_statement' },
  assignment_expression: { kind: 'function', having: FUNCTIONS },
  // Not those of an object that is a value somewhere.
  method_definition: { kind: 'method', within: 'class_body' },
  variable_declarator: { kind: 'function', having: FUNCTIONS },
  field_definition: { kind: 'method', having: FUNCTIONS },
}

const TYPESCRIPT: Grammar['nodes'] = {
  ...JAVASCRIPT,
  abstract_class_declaration: c('class'),
  interface_declaration: c('interface'),
  internal_module: c('namespace'),
  module: c('module'),
  type_alias_declaration: f('type'),
  enum_declaration: f('enum'),
  function_signature: f('function'),
  method_signature: f('method'),
  abstract_method_signature: f('method'),
  public_field_definition: { kind: 'method', having: FUNCTIONS },
}

const GRAMMARS: { extensions: string; grammar: Grammar }[] = [
  { extensions: 'ts mts cts', grammar: { name: 'typescript', nodes: TYPESCRIPT } },
  { extensions: 'tsx', grammar: { name: 'tsx', nodes: TYPESCRIPT } },
  { extensions: 'js mjs cjs jsx', grammar: { name: 'javascript', nodes: JAVASCRIPT } },
  { extensions: 'py pyi pyw', grammar: { name: 'python', nodes: { class_definition: c('class'), function_definition: f('function') } } },
  { extensions: 'go', grammar: { name: 'go', nodes: { function_declaration: f('function'), method_declaration: f('method'), type_spec: f('type'), type_alias: f('type') } } },
  {
    extensions: 'rs',
    grammar: {
      name: 'rust',
      nodes: {
        function_item: f('function'),
        function_signature_item: f('function'),
        struct_item: f('struct'),
        enum_item: f('enum'),
        union_item: f('union'),
        type_item: f('type'),
        trait_item: c('trait'),
        impl_item: c('impl'),
        mod_item: c('module'),
        macro_definition: f('macro'),
      },
    },
  },
  {
    extensions: 'java',
    grammar: {
      name: 'java',
      nodes: {
        class_declaration: c('class'),
        interface_declaration: c('interface'),
        annotation_type_declaration: c('interface'),
        enum_declaration: c('enum'),
        record_declaration: c('record'),
        method_declaration: f('method'),
        constructor_declaration: f('method'),
        compact_constructor_declaration: f('method'),
      },
    },
  },
  {
    extensions: 'cs',
    grammar: {
      name: 'c-sharp',
      nodes: {
        namespace_declaration: c('namespace'),
        file_scoped_namespace_declaration: f('namespace'),
        class_declaration: c('class'),
        struct_declaration: c('struct'),
        interface_declaration: c('interface'),
        record_declaration: c('record'),
        enum_declaration: f('enum'),
        delegate_declaration: f('delegate'),
        method_declaration: f('method'),
        constructor_declaration: f('method'),
        destructor_declaration: f('method'),
        operator_declaration: f('method'),
        conversion_operator_declaration: f('method'),
        property_declaration: f('property'),
        indexer_declaration: f('property'),
        local_function_statement: f('function'),
      },
    },
  },
  {
    extensions: 'c h cc cpp cxx c++ hh hpp hxx',
    grammar: {
      name: 'cpp',
      nodes: {
        namespace_definition: c('namespace'),
        class_specifier: { kind: 'class', inside: true, having: ['field_declaration_list'] },
        struct_specifier: { kind: 'struct', inside: true, having: ['field_declaration_list'] },
        union_specifier: { kind: 'union', inside: true, having: ['field_declaration_list'] },
        enum_specifier: { kind: 'enum', having: ['enumerator_list'] },
        type_definition: f('type'),
        alias_declaration: f('type'),
        function_definition: f('function'),
        declaration: { kind: 'function', having: ['function_declarator'] },
        field_declaration: { kind: 'method', having: ['function_declarator'] },
      },
    },
  },
  { extensions: 'rb rake gemspec', grammar: { name: 'ruby', nodes: { module: c('module'), class: c('class'), singleton_class: c('class'), method: f('method'), singleton_method: f('method') } } },
  {
    extensions: 'php phtml',
    grammar: {
      name: 'php',
      nodes: {
        namespace_definition: c('namespace'),
        class_declaration: c('class'),
        interface_declaration: c('interface'),
        trait_declaration: c('trait'),
        enum_declaration: c('enum'),
        function_definition: f('function'),
        method_declaration: f('method'),
      },
    },
  },
  { extensions: 'sh bash zsh ksh', grammar: { name: 'bash', nodes: { function_definition: f('function') } } },
  { extensions: 'css', grammar: { name: 'css', nodes: { rule_set: f('rule'), keyframes_statement: f('keyframes'), media_statement: c('media'), supports_statement: c('supports'), at_rule: c('rule') } } },
]

const BY_EXTENSION = new Map(GRAMMARS.flatMap(({ extensions, grammar }) => extensions.split(' ').map((extension) => [extension, grammar] as const)))

export function grammarFor(extension: string): Grammar | undefined {
  return BY_EXTENSION.get(extension)
}

/** As a person calls them. */
export const LANGUAGES = 'TypeScript, JavaScript, Python, Go, Rust, Java, C#, C, C++, Ruby, PHP, shell, CSS, Markdown, Scheme'
