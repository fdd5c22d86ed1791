package io.sluice.billing.outbox.file;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.Page;

/** Reads all entries of a file, page by page. A page that cannot be read hides only the pages below it. */
final class PageWalk {
    private final StoreFile file;
    private final Visitor visitor;

    private PageWalk(StoreFile file, Visitor visitor) {
        this.file = file;
        this.visitor = visitor;
    }

    /** Receives each entry in its stored form. */
    interface Visitor {
        void entry(String map, Object key, byte[] sealed);

        /** A page of the map could not be read. */
        void unreadable(String map, RuntimeException why);
    }

    static void through(StoreFile file, Visitor visitor) {
        var walk = new PageWalk(file, visitor);
        for (var name : file.names()) {
            MVMap<?, byte[]> map;
            try {
                map = file.map(name);
            } catch (RuntimeException unreadable) {
                visitor.unreadable(name, unreadable);
                continue;
            }
            walk.page(name, map.getRootPage());
        }
    }

    private void page(String map, Page<?, byte[]> page) {
        if (page.isLeaf()) {
            for (int i = 0; i < page.getKeyCount(); i++) {
                visitor.entry(map, page.getKey(i), page.getValue(i));
            }
            return;
        }
        for (int i = 0; i < page.getRawChildPageCount(); i++) {
            child(map, page, i);
        }
    }

    private void child(String map, Page<?, byte[]> page, int index) {
        Page<?, byte[]> child;
        try {
            child = page.getChildPage(index);
        } catch (RuntimeException unreadable) {
            visitor.unreadable(map, unreadable);
            return;
        }
        page(map, child);
    }
}
