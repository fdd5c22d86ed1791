/** What every verticle needs beside its core: clock, metrics, readiness, log keys, config reading, quantities. */
package io.sluice.shell;
