/** The launcher's rules without side effects: roles by name, and what a demo counted. */
package io.sluice.launcher.core;
