/** The process: command line, which verticles start in which order, and how they end. */
package io.sluice.launcher;
