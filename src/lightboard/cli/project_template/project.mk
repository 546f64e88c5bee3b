# The id of this project, which its jobs, notebooks and TensorBoards have as a tag.
PROJECT_ID = @PROJECT_ID@
