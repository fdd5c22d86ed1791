/** What wire codecs of several packages share: the stable numbers of enums, and common parts. */
package io.sluice.codecs;
