"""Many series at once, as one table, one document, or an archive; streamed, so that it may be of any size."""
