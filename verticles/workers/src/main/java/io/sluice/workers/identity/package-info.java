/** Certificates of workers and controllers, and the tokens by which they get their first one. */
package io.sluice.workers.identity;
