/** Writes the checked-in snapshot of the OpenAPI document; a test compares it, so that every change of the wire is seen in review. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ALL_ROUTES, openApiDocument } from '@nwms/contract';

const path = resolve(import.meta.dirname, '../packages/contract/openapi.snapshot.json');
writeFileSync(path, `${JSON.stringify(openApiDocument(ALL_ROUTES, { version: '1', serverUrl: '/api/v1' }), null, 1)}\n`);
