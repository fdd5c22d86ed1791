/** The rules by which the monitor inside a lab guest speaks and decides. Pure: texts, samples and time come in. */
package io.sluice.lab.guest.core;
