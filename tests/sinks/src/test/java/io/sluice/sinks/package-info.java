/** Tests of the sinks of object stores with programs that replace these stores. */
package io.sluice.sinks;
