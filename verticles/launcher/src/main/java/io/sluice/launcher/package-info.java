/** The process: command line, config, which verticles start in which order, and how they end. */
package io.sluice.launcher;
