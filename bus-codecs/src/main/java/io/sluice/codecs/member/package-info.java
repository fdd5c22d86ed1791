/** Wire codecs of the messages in {@code io.sluice.messages.member}: processes: statuses, dumps, taps. */
package io.sluice.codecs.member;
