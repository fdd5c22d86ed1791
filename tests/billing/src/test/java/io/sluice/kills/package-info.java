/** Tests that the bills of a process that is killed repeatedly add up to what was used. */
package io.sluice.kills;
