/** What the hot paths cost, measured with JMH. */
package io.sluice.bench;
