/** The protocol and the rules of the monitor in a lab guest. Pure: texts, samples and time are arguments. */
package io.sluice.lab.guest.core;
