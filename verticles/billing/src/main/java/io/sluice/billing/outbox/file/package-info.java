/**
 * The outbox's file: a store of H2's MVStore kind, and what is put around it so that "durable" means durable.
 *
 * <p>What MVStore gives. A commit writes all that changed, and the roots of all maps, as one chunk into free space, and
 * never touches a chunk in use. Opening takes the newest chunk whose own pages and whose chunks are found. So a kill
 * between two writes shows the state before or after a commit, never half of one.
 *
 * <p>What is durable. After {@code commit()} and {@code sync()} a chunk and all that it points to are on the disk:
 * there is no writer in the background, no commit of its own when much is unsaved (that buffer is off as well, or an
 * offer could be cut in two), and each commit here is synced before the next begins.
 *
 * <p>Why reuse of space cannot destroy the last durable state. A chunk whose last page was given up by version V is
 * handed out again when version V + 6 is written at the earliest, as MVStore keeps five versions. By then V + 5 is
 * durable, and needs nothing of it. That holds without any time of retention, which is therefore nought. Shortening the
 * file takes away the same space and nothing else.
 *
 * <p>What MVStore does not give, and is added here:
 *
 * <ul>
 *   <li>Its pages have no checksum: a chunk of which a power failure left the first and the last block and not those
 *       between is taken for whole. {@link io.sluice.billing.outbox.file.CheckedPath} puts a checksum behind each block
 *       of the file, so that what was torn or has rotted cannot be read by mistake.
 *   <li>Its header may stay behind the newest chunk by many commits, the chunks between being found one by the other;
 *       and of those one may be overwritten before a new header is on the disk. Whoever opens the file then finds a
 *       state that is older than what was durable. So the header is written with each commit here, and only after the
 *       chunk that it names was synced: it names the newest durable commit or the one before it.
 *   <li>Nobody knows whether the newest commit was ever answered for. {@link io.sluice.billing.outbox.file.StoreSeal}
 *       says: one that was not may be dropped when it is torn; one that was is rescued, entry by entry.
 *   <li>After a sync that failed, reading the file back proves nothing: the system may show what never reached the
 *       disk, and the next sync may succeed without writing it. The file is then copied whole to a new one, and that
 *       one synced ({@link io.sluice.billing.outbox.file.StoreRescue}).
 *   <li>A removal is written too. Some room is held on the disk ({@link io.sluice.billing.outbox.file.ReservedSpace})
 *       that is given up when the disk is full, so that what waits can still leave; nothing is accepted until it is
 *       held again.
 *   <li>Each value carries a checksum of its own ({@link io.sluice.billing.outbox.file.Checksums}), so that of a
 *       damaged block only the entries that were hit are set aside.
 * </ul>
 */
package io.sluice.billing.outbox.file;
