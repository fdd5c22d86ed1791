/**
 * The outbox's file: a store of H2's MVStore, and the additions that make a commit durable.
 *
 * <p>What MVStore does. A commit writes everything that changed, and the roots of all maps, as one chunk into free
 * space. It never overwrites a chunk that is in use. Opening takes the newest chunk with all its own pages and all
 * chunks that it refers to. So after a kill between two writes the file shows the state before or after a commit, never
 * a part of one.
 *
 * <p>What is durable. After {@code commit()} and {@code sync()} a chunk and everything that it refers to are on the
 * disk. There is no background writer, and no commit by MVStore itself when much is unsaved: that buffer is off too,
 * because it could split a write in two. Each commit is synced before the next begins.
 *
 * <p>Why reuse of space cannot destroy the last durable state. MVStore keeps five versions. If version V frees the last
 * page of a chunk, the chunk is reused when version V + 6 is written at the earliest. By then V + 5 is durable, and
 * needs nothing of that chunk. This holds without any retention time, which is therefore 0. Truncating the file frees
 * the same space and nothing else.
 *
 * <p>What MVStore does not do, and is added here:
 *
 * <ul>
 *   <li>Its pages have no checksum. If a power failure leaves only the first and the last block of a chunk, MVStore
 *       takes the chunk for complete. {@link io.sluice.billing.outbox.file.CheckedPath} stores a checksum after each
 *       block of the file, so that torn or damaged blocks are detected.
 *   <li>Its header may be older than the newest chunk by many commits, because each chunk leads to the next. One of
 *       these chunks may be overwritten before a new header is on the disk. An opened file then shows a state that is
 *       older than the durable one. So here the header is written with each commit, and only after the chunk that it
 *       names was synced. It names the newest durable commit or the one before it.
 *   <li>MVStore does not record whether the result of the newest commit was reported.
 *       {@link io.sluice.billing.outbox.file.StoreSeal} does. A torn commit without a reported result may be dropped;
 *       one with a reported result is rescued, entry by entry.
 *   <li>After a failed sync, reading the file back proves nothing: the system may show data that never reached the
 *       disk, and the next sync may succeed without writing it. The file is then copied completely to a new file, which
 *       is synced ({@link io.sluice.billing.outbox.file.StoreRescue}).
 *   <li>A removal is a write too. Some disk space is reserved ({@link io.sluice.billing.outbox.file.ReservedSpace}) and
 *       released when the disk is full, so that waiting events can still be sent and removed. Nothing is accepted until
 *       the space is reserved again.
 *   <li>Each value has a checksum of its own ({@link io.sluice.billing.outbox.file.Checksums}), so that of a damaged
 *       block only the affected entries are set aside.
 * </ul>
 */
package io.sluice.billing.outbox.file;
