/** One hand-written wire codec for each message, and the stable numbers of their enums. */
package io.sluice.codecs;
