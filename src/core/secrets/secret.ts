/** What counts as a secret, and where one stands in a text. Knows no way to find one. */

/** What a secret seems to be; the words for it belong to whoever shows it. */
export type SecretKind =
  /** A private key in one of the armoured formats. */
  | 'privateKey'
  /** A key or token of a service that can be told by its form. */
  | 'token'
  /** An address to which messages can be posted by whoever knows it. */
  | 'webhook'
  /** A signed token that names who carries it (RFC 7519). */
  | 'jwt'
  /** The password in an address, such as that of a database. */
  | 'connectionString'
  /** The value of something that is called a password. */
  | 'password'
  /** The value of something that is called a key, a token or a secret. */
  | 'assignment'
  /** The key that the extension itself uses. */
  | 'ownKey';

/** From the first character on, up to but not with the last; in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Secret extends Span {
  readonly kind: SecretKind;
  /** Whose it is, where the form tells. A name, which is not translated. */
  readonly service?: string;
  /** What of it must not be seen, in order, none over the end of a line. The rest of it is public: a prefix, the frame of a key. */
  readonly parts: readonly Span[];
}
