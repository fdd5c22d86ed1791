/** What reads the bytes of others, played random and hostile ones. */
package io.sluice.hostile;
