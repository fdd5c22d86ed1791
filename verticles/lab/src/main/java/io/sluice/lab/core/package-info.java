/** What the lab's fleet is, and what must hold for it: pure. */
package io.sluice.lab.core;
