/**
 * Keys and tokens that services gave a form of their own, so that they can be found when they leak. The forms are those that the services
 * document. Pure.
 */
import { looksMadeUp } from './madeUp.ts';
import type { Secret, SecretKind } from './secret.ts';

interface Form {
  /** Undefined where many services share the form. */
  readonly service: string | undefined;
  /** What it begins with. All of it is public. */
  readonly prefix: string;
  /** What follows. Bounded, or ended by the first character that is not of its class: each is read once. */
  readonly rest: RegExp;
  readonly kind?: SecretKind;
}

function form(service: string | undefined, prefix: string, rest: string, kind?: SecretKind): Form {
  return { service, prefix, rest: new RegExp(`${rest}(?![\\w-])`, 'y'), ...(kind !== undefined && { kind }) };
}

/** The first whose prefix and rest fit is the one. */
const forms: readonly Form[] = [
  form('Anthropic', 'sk-ant-', '[a-z0-9]{2,12}-[\\w-]{20,}'),
  form('OpenRouter', 'sk-or-', 'v1-[0-9a-f]{40,}'),
  form('OpenAI', 'sk-proj-', '[\\w-]{20,}'),
  form('OpenAI', 'sk-svcacct-', '[\\w-]{20,}'),
  form('OpenAI', 'sk-admin-', '[\\w-]{20,}'),
  // Many services that speak OpenAI's protocol took over its form.
  form(undefined, 'sk-', '[A-Za-z0-9]{24,128}'),
  form('GitHub', 'ghp_', '[A-Za-z0-9]{36,255}'),
  form('GitHub', 'gho_', '[A-Za-z0-9]{36,255}'),
  form('GitHub', 'ghu_', '[A-Za-z0-9]{36,255}'),
  form('GitHub', 'ghs_', '[A-Za-z0-9]{36,255}'),
  form('GitHub', 'ghs_', '\\d{1,20}_[\\w-]{10,1000}\\.[\\w-]{10,4000}\\.[\\w-]{10,1000}'),
  form('GitHub', 'ghr_', '[A-Za-z0-9]{36,255}'),
  form('GitHub', 'github_pat_', '\\w{50,255}'),
  form('GitLab', 'glpat-', '[\\w-]{20,255}(?:\\.[0-9a-z.]{2,20})?'),
  form('GitLab', 'gldt-', '[\\w-]{20,255}'),
  form('GitLab', 'glptt-', '[\\w-]{20,255}'),
  form('GitLab', 'glrt-', '[\\w-]{20,255}'),
  form('GitLab', 'glcbt-', '[\\w-]{20,255}'),
  form('AWS', 'AKIA', '[A-Z0-9]{16}'),
  form('AWS', 'ASIA', '[A-Z0-9]{16}'),
  form('Google', 'AIza', '[\\w-]{35}'),
  form('Google', 'GOCSPX-', '[\\w-]{28}'),
  form('Google', 'ya29.', '[\\w-]{20,2048}'),
  form('Stripe', 'sk_live_', '[A-Za-z0-9]{16,255}'),
  form('Stripe', 'sk_test_', '[A-Za-z0-9]{16,255}'),
  form('Stripe', 'rk_live_', '[A-Za-z0-9]{16,255}'),
  form('Stripe', 'rk_test_', '[A-Za-z0-9]{16,255}'),
  form('Stripe', 'whsec_', '[A-Za-z0-9+/]{24,255}={0,2}'),
  form('Slack', 'xoxb-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxp-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxa-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxe-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxe.', '[A-Za-z0-9.-]{20,255}'),
  form('Slack', 'xoxo-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxr-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xoxs-', '[A-Za-z0-9-]{20,255}'),
  form('Slack', 'xapp-', '\\d-[A-Za-z0-9-]{20,255}'),
  form('Slack', 'hooks.slack.com/', '(?:services|workflows|triggers)/[\\w/]{20,255}', 'webhook'),
  form('Discord', 'discord.com/api/webhooks/', '\\d{10,25}/[\\w-]{40,100}', 'webhook'),
  form('Discord', 'discordapp.com/api/webhooks/', '\\d{10,25}/[\\w-]{40,100}', 'webhook'),
  form('SendGrid', 'SG.', '[\\w-]{16,32}\\.[\\w-]{16,64}'),
  form('Twilio', 'SK', '[0-9a-f]{32}'),
  form('Mailgun', 'key-', '[0-9a-f]{32}'),
  form('npm', 'npm_', '[A-Za-z0-9]{36}'),
  form('PyPI', 'pypi-', 'AgE[\\w-]{50,1024}'),
  form('RubyGems', 'rubygems_', '[0-9a-f]{48}'),
  form('Docker', 'dckr_pat_', '[\\w-]{20,64}'),
  form('Docker', 'dckr_oat_', '[\\w-]{20,64}'),
  form('DigitalOcean', 'dop_v1_', '[0-9a-f]{64}'),
  form('DigitalOcean', 'doo_v1_', '[0-9a-f]{64}'),
  form('DigitalOcean', 'dor_v1_', '[0-9a-f]{64}'),
  form('Heroku', 'HRKU-', '[\\w-]{20,100}'),
  form('Shopify', 'shpat_', '[A-Za-z0-9]{32,64}'),
  form('Shopify', 'shpca_', '[A-Za-z0-9]{32,64}'),
  form('Shopify', 'shppa_', '[A-Za-z0-9]{32,64}'),
  form('Shopify', 'shpss_', '[A-Za-z0-9]{32,64}'),
  form('Square', 'sq0atp-', '[\\w-]{22}'),
  form('Square', 'sq0csp-', '[\\w-]{43}'),
  form('Linear', 'lin_api_', '\\w{32,128}'),
  form('Notion', 'ntn_', '[A-Za-z0-9]{40,64}'),
  form('Notion', 'secret_', '[A-Za-z0-9]{43}'),
  form('Hugging Face', 'hf_', '[A-Za-z0-9]{30,64}'),
  form('Replicate', 'r8_', '[A-Za-z0-9]{37}'),
  form('Groq', 'gsk_', '[A-Za-z0-9]{40,64}'),
  form('xAI', 'xai-', '[A-Za-z0-9]{60,128}'),
  form('Perplexity', 'pplx-', '[A-Za-z0-9]{40,64}'),
  form('Databricks', 'dapi', '[0-9a-f]{32}(?:-\\d)?'),
  form('Grafana', 'glsa_', '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'),
  form('Grafana', 'glc_', '[A-Za-z0-9+/]{32,400}={0,2}'),
  form('New Relic', 'NRAK-', '[A-Z0-9]{27}'),
  form('Sentry', 'sntrys_', '[\\w+/=-]{40,512}'),
  form('Sentry', 'sntryu_', '[0-9a-f]{64}'),
  form('PlanetScale', 'pscale_tkn_', '[\\w.=-]{32,64}'),
  form('PlanetScale', 'pscale_pw_', '[\\w.=-]{32,64}'),
  form('Doppler', 'dp.pt.', '[A-Za-z0-9]{40,44}'),
  form('HashiCorp', 'hvs.', '[\\w-]{24,255}'),
  form('HashiCorp', 'hvb.', '[\\w-]{24,400}'),
  form('HashiCorp', 'hvr.', '[\\w-]{24,255}'),
  form('Atlassian', 'ATATT3', '[\\w=-]{60,255}'),
  form('Figma', 'figd_', '[\\w-]{38,200}'),
  form('Supabase', 'sbp_', '[0-9a-f]{40}'),
  form('Supabase', 'sb_secret_', '[\\w-]{20,64}'),
  form('Cloudflare', 'cfk_', '[A-Za-z0-9]{40}[0-9a-f]{8}'),
  form('Cloudflare', 'cfut_', '[A-Za-z0-9]{40}[0-9a-f]{8}'),
  form('Cloudflare', 'cfat_', '[A-Za-z0-9]{40}[0-9a-f]{8}'),
  form('Vercel', 'vcp_', '[A-Za-z0-9]{20,64}'),
  form('Vercel', 'vci_', '[A-Za-z0-9]{20,64}'),
  form('Vercel', 'vca_', '[A-Za-z0-9]{20,64}'),
  form('Vercel', 'vcr_', '[A-Za-z0-9]{20,64}'),
  form('Vercel', 'vck_', '[A-Za-z0-9]{20,64}'),
  form('1Password', 'ops_', 'ey[A-Za-z0-9+/]{100,2000}={0,2}'),
  form('Netlify', 'nfp_', '\\w{36,64}'),
  form('Fly', 'fm2_', '[\\w+/=]{40,1024}'),
  form('Tailscale', 'tskey-', '(?:auth|api|client|webhook|scim)-[\\w-]{20,64}'),
  form('PostHog', 'phx_', '[A-Za-z0-9]{40,64}'),
  form('Buildkite', 'bkua_', '[0-9a-f]{40}'),
  form('CircleCI', 'CCIPAT_', '\\w{40,100}'),
  form('Age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
];

/** A token with two segments that begin with the braces of their JSON, and a signature. */
const jwt = /[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{20,}/y;

/** Two numbers that other text is full of stand before it, and the secret behind. */
const telegram = /(?:(?<![\w:-])|(?<=\\[nrt]))\d{8,10}:(AA[\w-]{33})(?![\w-])/g;

/**
 * Where a word begins: behind what is no letter of a word, and behind the escape of a line break or a tab within a string. One search for
 * all beginnings.
 */
const beginnings = new RegExp(
  `(?:(?<![\\w-])|(?<=\\\\[nrt]))(?:eyJ|${[...new Set(forms.map(({ prefix }) => prefix))]
    .toSorted((a, b) => b.length - a.length)
    .map((prefix) => prefix.replaceAll('.', '\\.'))
    .join('|')})`,
  'g',
);

export function* serviceSecrets(text: string): Generator<Secret, void, undefined> {
  for (const { 0: found, index: start } of text.matchAll(beginnings)) {
    const from = start + found.length;
    if (found === 'eyJ') {
      const end = endOf(jwt, text, from);
      if (end !== undefined && !isKnownExample(text.slice(start, end))) {
        yield { kind: 'jwt', start, end, parts: [{ start: from, end }] };
      }
      continue;
    }
    const one = serviceSecret(text, start, found);
    if (one !== undefined) yield one;
  }
  for (const { 1: token = '', 0: all, index: start } of text.matchAll(telegram)) {
    const end = start + all.length;
    if (looksMadeUp(token)) continue;
    yield {
      kind: 'token',
      service: 'Telegram',
      start,
      end,
      parts: [{ start: end - token.length, end }],
    };
  }
}

/** A longer prefix may be one of a form that does not fit, and a shorter one that it begins with of one that does. */
function serviceSecret(text: string, start: number, found: string): Secret | undefined {
  for (const { service, prefix, rest, kind = 'token' } of forms) {
    if (!found.startsWith(prefix)) continue;
    const from = start + prefix.length;
    const end = endOf(rest, text, from);
    if (end === undefined) continue;
    return looksMadeUp(text.slice(from, end))
      ? undefined
      : { kind, ...(service !== undefined && { service }), start, end, parts: [{ start: from, end }] };
  }
  return undefined;
}

function endOf(rest: RegExp, text: string, from: number): number | undefined {
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : undefined;
}

/** The token that the home page of the format shows, which half of all tests hold. */
function isKnownExample(token: string): boolean {
  return token.endsWith('.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c');
}
