/**
 * From records as earlier versions wrote them to those of today. A version comes to be when a record that was written before would be read
 * as something else, or not at all; a field that may be absent needs none. Pure.
 */

export type Plain = Readonly<Record<string, unknown>>;

/** A record of one version, before it is checked, as one of the next. Told in the version's order: the first is of version 1. */
export type Migration = (record: Plain) => Plain;

/** Each with a journal of its version among the fixtures of the tests, which stays readable for good. */
const migrations: readonly Migration[] = [];

/** What is written. A record of a later version is not understood, and makes its conversation read-only. */
export const journalVersion = migrations.length + 1;

/** @param from version of the record, from 1 */
export function migrated(record: Plain, from: number, all: readonly Migration[] = migrations): Plain {
  return all.slice(from - 1).reduce((before, migrate) => migrate(before), record);
}
