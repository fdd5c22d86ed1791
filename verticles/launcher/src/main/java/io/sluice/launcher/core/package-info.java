/** What the launcher works out without doing anything: roles by name, and what a demo counted. */
package io.sluice.launcher.core;
