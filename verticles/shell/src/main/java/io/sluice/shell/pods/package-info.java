/** How pods that are resized in place are read: for whoever observes them and whoever resizes them. No I/O. */
package io.sluice.shell.pods;
