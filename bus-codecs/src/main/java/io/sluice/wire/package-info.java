/** How messages become bytes: versioned codecs, and what reads and writes their fields. */
package io.sluice.wire;
