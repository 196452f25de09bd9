// The names of files that something else runs later or that govern agents: a path to why it is protected.
// Names are matched case-folded and in NFKC, at any depth, whether or not the file exists.

export type Protection =
  /** Nothing touches it. */
  | 'deny'
  /** Nothing changes it. */
  | 'deny write'
  /** Changing it is a security confirm. */
  | 'guarded'
  /** Holds credentials: reading is a security confirm too, and what was read is labelled. */
  | 'secret'
  /** Changing it under untrusted labels is a security confirm. */
  | 'hook'
  /** package.json: judged by which of its fields change. */
  | 'manifest'

/** From gravest to lightest: the first that matches holds. Each is matched against the whole path as
 * `/a/b/c`, so that a name may stand at any depth. */
const TABLE: [Protection, RegExp][] = [
  ['deny', /\/\.git(\/|$)/],
  // What an agent may do is not for an agent to say: this one, and those that go by the common name.
  ['deny write', /\/(\.nodwyn(\.json)?(\/|$)|\.agent\/config\.json$)/],
  ['secret', /\/\.env([.-](?!(example|sample|template|dist|defaults|schema)(\.|$))[^/]+)?$/],
  ['secret', /\/(\.envrc|\.netrc|_netrc|\.pgpass|\.git-credentials|\.pypirc|\.htpasswd)$/],
  ['secret', /\/(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|\.aws\/credentials|\.docker\/config\.json|\.kube\/config)$/],
  ['guarded', /\/(\.gitattributes|\.gitmodules|\.gitconfig|\.lfsconfig)$/],
  ['guarded', /\/(\.husky|\.githooks|\.lefthook|\.vscode|\.idea|\.zed|\.devcontainer|\.direnv|\.ssh|\.gnupg|\.aws|\.kube)(\/|$)/],
  ['guarded', /\/(\.claude|\.cursor|\.codex|\.gemini|\.agents?|\.aider[^/]*|\.continue|\.windsurf|\.cline|\.roo|\.kiro|\.opencode|\.amazonq)(\/|$)/],
  ['guarded', /\/(\.mcp|mcp|\.devcontainer|opencode)\.json$/],
  ['guarded', /\/(\.npmrc|\.yarnrc(\.yml)?|\.yarn|\.pnpmfile\.c?js|\.pnp\.c?js|bunfig\.toml|pip\.conf|\.condarc|\.cargo)(\/|$)/],
  ['guarded', /\/\.github\/(workflows|actions)(\/|$)/],
  ['guarded', /\/(\.circleci|\.buildkite|\.woodpecker|\.gitea\/workflows|\.forgejo\/workflows)(\/|$)/],
  ['guarded', /\/(\.gitlab-ci|\.travis|\.drone|\.appveyor|appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|\.woodpecker)\.ya?ml$/],
  ['guarded', /\/jenkinsfile$/],
  ['guarded', /\/(\.pre-commit-config|\.?lefthook(-local)?)\.(ya?ml|toml|json)$/],
  ['guarded', /\/(\.?mise(\.local)?\.toml|\.tool-versions|\.autoenv|\.pdbrc|\.gdbinit|\.lldbinit|\.exrc|\.nvim\.lua|\.vimrc|\.editorconfig\.lua)$/],
  ['guarded', /\/(\.bashrc|\.bash_profile|\.bash_login|\.bash_aliases|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin|\.inputrc|\.config\/(autostart|fish|systemd))(\/|$)/],
  ['guarded', /\/(\.hgrc|\.hg\/hgrc|\.bazelrc|\.buckconfig|\.dir-locals(-2)?\.el|\.nvimrc|\.lvimrc|\.ripgreprc|\.rgrc|\.curlrc|\.wgetrc|\.tmux\.conf|\.screenrc|\.irbrc|\.pryrc|\.gemrc|\.bundle\/config|\.terraformrc|\.mvn\/[^/]+|gradle\/wrapper\/gradle-wrapper\.[a-z]+|\.devenv[^/]*|\.githooks\.[^/]+)$/],
  ['guarded', /\/(sitecustomize|usercustomize)\.py$/],
  ['guarded', /\/(node_modules\/\.bin|\.venv|venv\/(bin|scripts))(\/|$)/],
  ['guarded', /\.code-workspace$/],
  ['manifest', /\/package\.json$/],
  ['hook', /\/(agents?|claude(\.local)?|gemini|skill|warp|copilot-instructions)\.md$/],
  ['hook', /\/(\.cursorrules|\.windsurfrules|\.clinerules|\.goosehints|\.rules)(\/|$)/],
  ['hook', /\/((gnu)?makefile|[^/]+\.mk|\.?justfile|taskfile\.ya?ml|rakefile|gemfile|dockerfile[^/]*|containerfile|(docker-)?compose[^/]*\.ya?ml|vagrantfile|procfile|tiltfile)$/],
  ['hook', /\/(cmakelists\.txt|meson\.build|build\.rs|build\.zig|build\.gradle(\.kts)?|settings\.gradle(\.kts)?|pom\.xml|build\.xml|gradlew(\.bat)?|mvnw(\.cmd)?|flake\.nix|shell\.nix|default\.nix|[^/]+\.(csproj|targets|props)|binding\.gyp)$/],
  ['hook', /\/(setup\.(py|cfg)|pyproject\.toml|tox\.ini|noxfile\.py|conftest\.py|pytest\.ini|tasks\.py|fabfile\.py|[^/]+\.pth)$/],
  ['hook', /\/((vite|vitest|jest|webpack|rollup|babel|next|nuxt|astro|svelte|eslint|prettier|postcss|tailwind|playwright|cypress|karma|tsup|metro)\.config\.[a-z]+|(gulp|grunt)file\.[a-z]+|\.(eslintrc|prettierrc|babelrc|mocharc)[^/]*|tsconfig[^/]*\.json)$/],
]

/** `path` as given or relative to the root. Null: an ordinary file. */
export function classify(path: string): Protection | null {
  return classifyAsWritten(path.normalize('NFKC'))
}

/** Not in NFKC. */
export function classifyAsWritten(path: string): Protection | null {
  // Some file systems drop dots and spaces at the end of a name.
  const folded = `/${path.toLowerCase()}`.replaceAll('\\', '/').replaceAll(/\/+/g, '/').replaceAll(/([^/. ])[. ]+(?=\/|$)/g, '$1')
  for (const [protection, pattern] of TABLE) if (pattern.test(folded)) return protection
  return null
}
