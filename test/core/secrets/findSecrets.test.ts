/**
 * Secrets are found by their form and by their names, and what only looks like one is left alone. No real key stands here: each is put
 * together from a prefix and characters that were drawn once, so that no scanner of repositories takes this file for a leak.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { findSecrets, secretValue } from '../../../src/core/secrets/findSecrets.ts';
import { describeSecrets, maskSecrets } from '../../../src/core/secrets/maskSecrets.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

const mixed = 'q7Zb2XvK9mTf4RwYc8JdP3sLhG6nAeUoB5iDxWkM1yVtCzQgE0uSjHrFaNpIlO7d';
const hex = '9f3c1e7ab84d2065cf1b93e8d7402a6f5be81c3da97046f2e15d8b0c7a3946de';
const capitals = 'Q7ZB2XVK9MTF4RWYC8JDP3SLHG6NAEUOB5IDXWKM1YVTCZQGE0USJHRFANPILO7D';

function whatIn(text: string): readonly string[] {
  return describeSecrets(text, findSecrets(text)).map(({ what, service, line }) =>
    [line, what, ...(service === undefined ? [] : [service])].join(' '),
  );
}

function valuesIn(text: string): readonly string[] {
  return findSecrets(text).map((secret) => secretValue(text, secret));
}

describe('keys and tokens with a form of their own', () => {
  const keys: readonly (readonly [service: string | undefined, key: string])[] = [
    ['Anthropic', `sk-ant-api03-${mixed.slice(0, 48)}`],
    ['OpenRouter', `sk-or-v1-${hex}`],
    ['OpenAI', `sk-proj-${mixed.slice(0, 48)}_-A`],
    ['OpenAI', `sk-svcacct-${mixed.slice(0, 40)}`],
    ['OpenAI', `sk-admin-${mixed.slice(0, 40)}`],
    [undefined, `sk-${mixed.slice(0, 48)}`],
    ['GitHub', `ghp_${mixed.slice(0, 36)}`],
    ['GitHub', `github_pat_${mixed.slice(0, 22)}_${mixed.slice(3, 62)}`],
    ['GitHub', `ghs_918273_${mixed.slice(0, 36)}.${mixed}.${mixed}`],
    ['Cloudflare', `cfut_${mixed.slice(0, 40)}${hex.slice(0, 8)}`],
    ['Vercel', `vcp_${mixed.slice(0, 24)}`],
    ['1Password', `ops_ey${mixed}${mixed}`],
    ['GitLab', `glpat-${mixed.slice(0, 20)}`],
    ['AWS', `AKIA${capitals.slice(0, 16)}`],
    ['Google', `AIza${mixed.slice(0, 35)}`],
    ['Google', `GOCSPX-${mixed.slice(0, 28)}`],
    ['Google', `ya29.${mixed}`],
    ['Stripe', `sk_live_${mixed.slice(0, 24)}`],
    ['Stripe', `whsec_${mixed.slice(0, 32)}==`],
    ['Slack', `xoxb-7291038456-9182736450-${mixed.slice(0, 24)}`],
    ['SendGrid', `SG.${mixed.slice(0, 22)}.${mixed.slice(5, 48)}`],
    ['Twilio', `SK${hex.slice(0, 32)}`],
    ['npm', `npm_${mixed.slice(0, 36)}`],
    ['PyPI', `pypi-AgE${mixed}`],
    ['Docker', `dckr_pat_${mixed.slice(0, 27)}`],
    ['DigitalOcean', `dop_v1_${hex}`],
    ['Shopify', `shpat_${hex.slice(0, 32)}`],
    ['Hugging Face', `hf_${mixed.slice(0, 34)}`],
    ['Groq', `gsk_${mixed.slice(0, 52)}`],
    ['Databricks', `dapi${hex.slice(0, 32)}`],
    ['HashiCorp', `hvs.${mixed.slice(0, 40)}`],
    ['Age', `AGE-SECRET-KEY-1${capitals.slice(0, 58)}`],
    ['Telegram', `7291038456:AA${mixed.slice(0, 33)}`],
  ];
  for (const [service, key] of keys) {
    const what = service === undefined ? 'token' : `token ${service}`;
    it(`finds ${key.slice(0, 8)}… of ${service ?? 'many services'}, in a program and by itself`, () => {
      assert.deepEqual(whatIn(`const first = 1;\nconnect('${key}');\n`), [`2 ${what}`]);
      assert.deepEqual(whatIn(key), [`1 ${what}`]);
      assert.deepEqual(whatIn(`{"text":"one\\n${key}"}`), [`1 ${what}`]);
    });
  }

  it('finds addresses that anybody can post to', () => {
    const slack = `https://hooks.slack.com/services/T0${capitals.slice(0, 8)}/B0${capitals.slice(9, 17)}/${mixed.slice(0, 24)}`;
    const discord = `https://discord.com/api/webhooks/918273645091827364/${mixed}`;
    assert.deepEqual(whatIn(`${slack}\n${discord}`), ['1 webhook Slack', '2 webhook Discord']);
  });

  it('finds a signed token, and not the one of every example', () => {
    const head = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';
    const body = 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ';
    assert.deepEqual(whatIn(`Cookie: session=${head}.${body}.${mixed.slice(0, 43)}`), ['1 jwt']);
    assert.deepEqual(whatIn(`${head}.${body}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`), []);
    assert.deepEqual(whatIn(`${head}.${body}`), []);
  });

  it('leaves alone what is too short, too long, within a word, counted up, or says that it is an example', () => {
    const texts = [
      `ghp_${mixed.slice(0, 20)}`,
      `AKIA${capitals.slice(0, 17)}`,
      `my_ghp_${mixed.slice(0, 36)}`,
      `x-sk-${mixed.slice(0, 48)}`,
      'AKIAIOSFODNN7EXAMPLE',
      `ghp_${'x'.repeat(36)}`,
      'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      'sk-test-key',
      'sk-your-key-here-0000000000000000',
      '1234567890:AAxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'task-management-and-everything-around-it-in-one',
    ];
    for (const text of texts) assert.deepEqual(whatIn(text), [], text);
  });
});

const armour = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...[0, 7, 13].map((from) => mixed.slice(from) + mixed.slice(0, from)),
  'q7Zb2Q==',
  '-----END RSA PRIVATE KEY-----',
];

describe('private keys', () => {
  it('are found from their first line to their last, and blotted out line by line', () => {
    const text = ['# mine', ...armour, 'after'].join('\n');
    assert.deepEqual(whatIn(text), ['2 privateKey']);
    const masked = maskSecrets(text, findSecrets(text));
    assert.deepEqual(masked.split('\n'), [
      '# mine',
      '-----BEGIN RSA PRIVATE KEY-----',
      ...Array.from({ length: 3 }, () => '*'.repeat(64)),
      '*'.repeat(8),
      '-----END RSA PRIVATE KEY-----',
      'after',
    ]);
  });

  it('are found where each line has its number, a sign of a diff or quotes before it', () => {
    for (const before of ['12|', '+', '-', '  ', '    "']) {
      const text = armour.map((line) => before + line).join('\n');
      const masked = maskSecrets(text, findSecrets(text));
      assert.deepEqual(
        masked.split('\n').map((line) => line.slice(before.length, before.length + 8)),
        ['-----BEG', ...Array.from({ length: 4 }, () => '*'.repeat(8)), '-----END'],
        before,
      );
      assert.ok(masked.split('\n').every((line) => line.startsWith(before)));
    }
  });

  it('are found in one line, with escapes for the ends of its lines', () => {
    const text = `{"private_key": "${armour.join('\\n')}\\n"}`;
    assert.deepEqual(whatIn(text), ['1 privateKey']);
    assert.equal(
      maskSecrets(text, findSecrets(text)),
      `{"private_key": "-----BEGIN RSA PRIVATE KEY-----\\n${`${'*'.repeat(64)}\\n`.repeat(3)}********\\n-----END RSA PRIVATE KEY-----\\n"}`,
    );
  });

  it('keep their headers', () => {
    const [first = '', ...rest] = armour;
    const text = [
      first,
      'Proc-Type: 4,ENCRYPTED',
      `DEK-Info: AES-128-CBC,${capitals.slice(0, 32)}`,
      '',
      ...rest,
    ].join('\n');
    const masked = maskSecrets(text, findSecrets(text)).split('\n');
    assert.deepEqual(masked.slice(0, 4), text.split('\n').slice(0, 4));
    assert.equal(masked[4], '*'.repeat(64));
  });

  it('without an end are found as far as their lines go', () => {
    const text = [...armour.slice(0, -1), 'and then some prose follows here', mixed].join('\n');
    const masked = maskSecrets(text, findSecrets(text)).split('\n');
    assert.deepEqual(masked.slice(-2), ['and then some prose follows here', mixed]);
    assert.equal(masked[1], '*'.repeat(64));
    assert.deepEqual(whatIn(armour.slice(0, 3).join('\n')), ['1 privateKey']);
  });

  it('without a beginning are found back to where their lines begin, and known by how they end', () => {
    for (const before of ['', '12|', '+', '  ']) {
      const text = ['some prose', ...armour.slice(2).map((line) => before + line), 'after'].join('\n');
      const found = findSecrets(text);
      assert.deepEqual(
        describeSecrets(text, found).map(({ what, line, hint }) => [what, line, hint.slice(-29)]),
        [['privateKey', 2, '-----END RSA PRIVATE KEY-----']],
      );
      const masked = maskSecrets(text, found);
      assert.deepEqual(masked.split('\n'), [
        'some prose',
        ...Array.from({ length: 2 }, () => before + '*'.repeat(64)),
        `${before}********`,
        `${before}-----END RSA PRIVATE KEY-----`,
        'after',
      ]);
      assert.deepEqual(findSecrets(masked), []);
    }
    assert.deepEqual(whatIn(armour.slice(1).join('\r\n')), ['1 privateKey']);
    // No further back than a key is long.
    const long = `${`${mixed}\n`.repeat(1_000)}${armour[5] ?? ''}`;
    const [first] = findSecrets(long);
    assert.ok(
      first !== undefined && first.start > long.length - 25_000 && first.start < long.length - 20_000,
    );
    assert.deepEqual(whatIn(`\nword\n${armour[5] ?? ''}`), []);
    // What else stands in the line of the end is not lost in it.
    const token = `ghp_${mixed.slice(0, 36)}`;
    const beside = `${mixed}\n${token}"${armour[5] ?? ''}`;
    assert.ok(!maskSecrets(beside, findSecrets(beside)).includes(mixed.slice(4, 36)));
    // A line that looks like one of a key belongs to none that is whole in the next line.
    const whole = `${mixed}\n${armour.join('\\n')}`;
    assert.deepEqual(whatIn(whole), ['2 privateKey']);
    assert.ok(!maskSecrets(whole, findSecrets(whole)).includes(armour[2] ?? '-'));
    assert.deepEqual(whatIn(armour[5] ?? ''), []);
  });

  it('are none without a key in them, and public ones and certificates are none', () => {
    for (const text of [
      "if (text.startsWith('-----BEGIN PRIVATE KEY-----')) read(text);",
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      armour.join('\n').replaceAll('RSA PRIVATE KEY', 'PUBLIC KEY'),
      armour.join('\n').replaceAll('RSA PRIVATE KEY', 'CERTIFICATE'),
    ])
      assert.deepEqual(whatIn(text), [], text);
  });

  it('are told apart when many follow each other', () => {
    const text = Array.from({ length: 3 }, () => armour.join('\n')).join('\n');
    assert.deepEqual(whatIn(text), ['1 privateKey', '7 privateKey', '13 privateKey']);
  });
});

describe('passwords in addresses', () => {
  it('are found', () => {
    const text = 'DATABASE_URL=postgres://app:s3cur3-Zq81@db.internal:5432/app\n"amqps://u:pL9xQ2vT@[::1]/"';
    assert.deepEqual(whatIn(text), ['1 connectionString', '2 connectionString']);
    assert.deepEqual(valuesIn(text), ['s3cur3-Zq81', 'pL9xQ2vT']);
    assert.deepEqual(valuesIn('redis://:pL9xQ2vT@cache:6379'), ['pL9xQ2vT']);
  });

  it('are none where something else is put in their place, or where everybody has the same', () => {
    for (const text of [
      'postgres://postgres:postgres@localhost:5432/db',
      'mysql://root:password@127.0.0.1/db',
      'postgres://app:${DB_PASSWORD}@db/app',
      'postgres://app:$PASSWORD@db/app',
      'postgres://app:{password}@db/app',
      'postgres://app:<password>@db/app',
      'postgres://user:PASSWORD@db/app',
      'postgres://app:get(x)@db/app',
      'postgres://app:********@db/app',
      'https://example.com:8080/@scope/name',
      'http://localhost:3000',
      '://a:pL9xQ2vT@b',
    ])
      assert.deepEqual(whatIn(text), [], text);
  });
});

describe('values that are called a secret', () => {
  it('are found in environment files', () => {
    const text = [
      '# settings',
      'PORT=3000',
      `API_KEY=${mixed.slice(0, 32)}`,
      `export AWS_SECRET_ACCESS_KEY=${mixed.slice(0, 20)}/${mixed.slice(20, 39)}`,
      'DB_PASSWORD=gh7(kk;Lo91',
      `SESSION_SECRET="${hex}"`,
      'HEROKU_API_KEY=3f8b1c92-7d4e-4a61-9b05-c2e8f7a1d340',
      'SMTP_PASS=mauerblume77',
      'DEBUG=true',
    ].join('\n');
    assert.deepEqual(whatIn(text), [
      '3 assignment',
      '4 assignment',
      '5 password',
      '6 assignment',
      '7 assignment',
      '8 password',
    ]);
    assert.equal(valuesIn(text)[2], 'gh7(kk;Lo91');
  });

  it('are found in programs, settings and commands', () => {
    for (const text of [
      `const apiKey = '${mixed.slice(0, 32)}';`,
      `const apiKey: string = "${mixed.slice(0, 32)}";`,
      `  clientSecret: \`${mixed.slice(0, 32)}\`,`,
      `"client_secret": "${mixed.slice(0, 24)}"`,
      `{\\"auth_token\\": \\"${mixed.slice(0, 24)}\\"}`,
      `  password: "Zu9#kkLw2!x"`,
      `password => 'Zu9#kkLw2!x'`,
      `<password>Zu9kkLw2QxTv81mN</password>`,
      `headers['x-api-key'] = '${hex.slice(0, 40)}'`,
      `curl -H 'Authorization: Bearer ${mixed.slice(0, 40)}' https://api.test`,
      `deploy --token ${mixed.slice(0, 40)} --force`,
      `//registry.npmjs.org/:_authToken=${mixed.slice(0, 36)}`,
      `Server=db;Password=Zu9kkLw2QxTv81mN;Encrypt=true`,
      `AccountKey=${mixed}${mixed.slice(0, 22)}==;EndpointSuffix=core.windows.net`,
      `+  12|secretKey: "${mixed.slice(0, 24)}"`,
      `<add key="ApiKey" value="${mixed.slice(0, 32)}" />`,
      `- name: DB_PASSWORD\n  value: "Zu9#kkLw2!x"`,
      `12|  - name: DB_PASSWORD\n13|    value: ${mixed.slice(0, 24)}`,
      `{"name": "API_TOKEN", "value": "${mixed.slice(0, 32)}"}`,
      `Server=tcp:db,1433;User ID=sa;Password=Zu9#kkLw;Encrypt=True`,
      `"Data Source=db;Initial Catalog=x;Pwd=Zu9#kk(w"`,
      `"auths": {"r": {"auth": "${mixed.slice(0, 28)}"}}`,
    ])
      assert.equal(whatIn(text).length, 1, text);
  });

  it('are none where they are words, code, examples, hashes or ids', () => {
    for (const text of [
      'const token = await getToken(user.id1, scope2);',
      'token = process.env.GITHUB_TOKEN2',
      'const token: string = request.headers.authorization1;',
      "password: t('auth.password.required2')",
      'password: "Enter your password"',
      "const PASSWORD_FIELD = 'user-Passw0rd-1';",
      "apiKey: 'your-api-key-1a2b3c4d5e'",
      "apiKey: '<API KEY 1a2b3c4d5e6f7a8b9c>'",
      'API_KEY=${SECRET_FROM_VAULT_1}',
      'API_KEY=changeme',
      'DB_PASSWORD=postgres',
      'DB_PASSWORD=password123',
      'PASSWORD=********',
      "password: 'Test1234!'",
      `"integrity": "sha512-${mixed}=="`,
      `"sha": "${hex.slice(0, 40)}"`,
      `commit ${hex.slice(0, 40)}`,
      `"key": "${hex.slice(0, 32)}"`,
      `publicKey: '${mixed}'`,
      `NEXT_PUBLIC_API_KEY=${mixed.slice(0, 32)}`,
      `nextPageToken: "${mixed.slice(0, 32)}"`,
      'id: 3f8b1c92-7d4e-4a61-9b05-c2e8f7a1d340',
      'const keyboardLayout = "Us-International-2024-v2";',
      'tokenName: "com.company.Auth2Token3Name4"',
      'secret: ./certs/server1.key2',
      'monkey = "a1b2c3d4e5f6a7b8c9d0"',
      'max_tokens: 4096',
      'password = document.querySelector("#pw")',
      'key={item.id1}',
      '"pass": "ドキュメントが見出し1です"',
      'const token = "Bearer";',
      '<input name="password" value="" placeholder="Zu9#kkLw2!x">',
      '- name: DB_PASSWORD\n  valueFrom: Zu9kkLw2QxTv81mN',
      '{"name": "password", "value": "{{password}}1aB"}',
      'a=1;b=2;password=userInput12;c()',
      'Authorization: Basic <credentials>',
      'the basic authentication-middleware',
      'password:',
      'secret',
      `${'x'.repeat(101)}_password = "Zu9#kkLw2!x"`,
      // Of the frame of a private key only the beginning.
      'secret: "-----BEGIN-Zu9kkLw2QxTv81mN"',
    ])
      assert.deepEqual(whatIn(text), [], text);
  });

  it('are told by their form rather than by their name, and once', () => {
    const text = `GITHUB_TOKEN=ghp_${mixed.slice(0, 36)}`;
    assert.deepEqual(whatIn(text), ['1 token GitHub']);
  });
});

describe('the own key', () => {
  const own = `evo-${mixed.slice(0, 20)}`;

  it('is found wherever it stands', () => {
    const text = `a ${own} b\nhttps://x/${own}?y`;
    const found = findSecrets(text, [own, own]);
    assert.deepEqual(
      found.map(({ kind, start }) => [kind, start]),
      [
        ['ownKey', 2],
        ['ownKey', text.lastIndexOf(own)],
      ],
    );
    assert.equal(maskSecrets(text, found).includes(own), false);
  });

  it('goes before what else it may be, and is not looked for when it is too short to be one', () => {
    const text = `API_KEY=${own}`;
    assert.deepEqual(
      findSecrets(text, [own]).map(({ kind }) => kind),
      ['ownKey'],
    );
    assert.deepEqual(findSecrets('abc', ['abc', '']), []);
  });
});

describe('what is shown of a secret', () => {
  it('is where it stands, what stands before it, its first characters and its length', () => {
    const text = `one\ntwo\nAPI_KEY=${mixed.slice(0, 32)}\nghp_${mixed.slice(0, 36)}`;
    assert.deepEqual(describeSecrets(text, findSecrets(text)), [
      { what: 'assignment', line: 3, hint: 'API_KEY=q7Zb…', length: 32 },
      { what: 'token', service: 'GitHub', line: 4, hint: 'ghp_q7Zb…', length: 36 },
    ]);
  });

  it('is less of a short one, and nothing of a private key', () => {
    const password = 'DB_PASSWORD=gh7(kk;Lo91';
    assert.equal(describeSecrets(password, findSecrets(password))[0]?.hint, 'DB_PASSWORD=g…');
    const key = armour.join('\n');
    assert.equal(describeSecrets(key, findSecrets(key))[0]?.hint, '-----BEGIN RSA PRIVATE KEY-----');
  });

  it('names the line that stands before the text, as tools write it', () => {
    const text = `a.ts, lines 40 to 41 of 90:\n40|const a = 1;\n41|const apiKey = '${mixed.slice(0, 32)}';`;
    assert.equal(describeSecrets(text, findSecrets(text), true)[0]?.line, 41);
    assert.equal(describeSecrets(text, findSecrets(text))[0]?.line, 3);
    const bare = text.replace('41|', '');
    assert.equal(describeSecrets(bare, findSecrets(bare), true)[0]?.line, 3);
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 40, unit: 'binary' }),
    fc.constantFrom(
      ...[
        '\n',
        ' ',
        '"',
        '=',
        ': ',
        'password',
        'API_KEY=',
        'token: "',
        '://',
        'a:',
        '@h',
        'Bearer ',
        '<secret>',
      ],
      ...[...armour, armour.join('\\n'), mixed, hex, 'eyJ', '.', 'sk-', 'ghp_', '12|', '+', '\\n'],
      `ghp_${mixed.slice(0, 36)}`,
      `eyJ${mixed}.eyJ${mixed}.${mixed}`,
    ),
  );
  const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

  it(`has secrets in order and apart, whose parts lie within one line each (seed ${seed})`, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const { parts } of findSecrets(text)) {
          assert.ok(parts.length > 0);
          for (const part of parts) {
            assert.ok(part.start >= end && part.end > part.start && part.end <= text.length);
            assert.ok(!/[\r\n]/.test(text.slice(part.start, part.end)));
            end = part.end;
          }
        }
      }),
      { seed, numRuns: 1000 },
    );
  });

  it(`keeps its lines when it is masked, and holds no secret then (seed ${seed})`, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const found = findSecrets(text);
        const masked = maskSecrets(text, found);
        assert.equal(masked.split('\n').length, text.split('\n').length);
        assert.deepEqual(findSecrets(masked), []);
        if (found.length === 0) assert.equal(masked, text);
      }),
      { seed, numRuns: 1000 },
    );
  });

  it(`is told the line of each secret as its line breaks say (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', 'x = 1', 'a: b'), { maxLength: 20 }), (lines) => {
        const text = [...lines, `call('ghp_${mixed.slice(0, 36)}')`, ...lines].join('\n');
        assert.deepEqual(
          describeSecrets(text, findSecrets(text)).map(({ line }) => line),
          [lines.length + 1],
        );
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe('the length of what stands in the place of a secret', () => {
  it('is one of few', () => {
    for (const [length, masked] of [
      [4, 8],
      [8, 8],
      [9, 16],
      [33, 48],
      [64, 64],
      [500, 64],
    ] as const) {
      const text = 'a'.repeat(length);
      const span = { start: 0, end: length };
      assert.equal(maskSecrets(text, [{ kind: 'password', ...span, parts: [span] }]), '*'.repeat(masked));
    }
  });
});
