/** The sink that appends events to files on this machine, and the reader of those files. */
package io.sluice.billing.sink.file;
