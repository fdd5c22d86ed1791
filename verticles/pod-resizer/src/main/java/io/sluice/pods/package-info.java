/** The driver that resizes pods in place. */
package io.sluice.pods;
